// Leaves its session, to outlive its host.
// strict: violation setsid()
PROBE {
    in_a_child();
    return tell(setsid());
}
