// Asks for speculation that is a side channel.
// strict: violation prctl(PR_SET_SPECULATION_CTRL)
// needs: a processor with this switch, else ENXIO ENODEV EPERM
PROBE { return tell(prctl(PR_SET_SPECULATION_CTRL, PR_SPEC_STORE_BYPASS, PR_SPEC_ENABLE, 0, 0)); }
