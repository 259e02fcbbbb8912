"""How an import comes into the store: in one unit of work, or hidden and noted in many, and then shown."""
