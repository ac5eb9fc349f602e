# A script reads about itself: even that shows the person's user id, disks and session.
# runtime: refused ENOENT
attempt(open, "/proc/self/mountinfo")
