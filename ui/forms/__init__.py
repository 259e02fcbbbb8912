"""What a person does on a page: forms, their fields, and the files that come with them."""
