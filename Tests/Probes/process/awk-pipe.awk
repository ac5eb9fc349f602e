# An awk program reads from a program.
# runtime: violation clone(0)
BEGIN { "echo DID IT" | getline line; print line }
