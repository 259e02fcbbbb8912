"""What differs between systems of files on a disk, below everything that says where they are."""
