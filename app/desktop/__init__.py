"""The window, the tray and the start at login: what there is where there is a desktop."""
