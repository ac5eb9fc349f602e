// Asks how large its own memory map is, before it moves its marks.
// strict: violation prctl(PR_SET_MM)
// needs: a kernel with checkpoints, else EINVAL
PROBE {
    unsigned size;
    return tell(prctl(PR_SET_MM, PR_SET_MM_MAP_SIZE, &size, 0, 0));
}
