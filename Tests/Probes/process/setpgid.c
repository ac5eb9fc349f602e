// Leaves its process group.
// strict: violation setpgid()
PROBE {
    in_a_child();
    return tell(setpgid(0, 0));
}
