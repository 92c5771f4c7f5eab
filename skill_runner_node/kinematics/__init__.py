"""Where the arm's tool is, and which joint angles bring it somewhere."""
