"""Sessions and the moments kept in them."""
