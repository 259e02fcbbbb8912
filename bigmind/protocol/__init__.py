"""The session protocol: runs of a coding session through its phases, with evidence that the server looks at itself."""
