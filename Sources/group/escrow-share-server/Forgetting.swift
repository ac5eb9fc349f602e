import Glibc

/// What the process frees is overwritten, so that its memory forgets shares as its files do. glibc does that where it is told to
/// when the program starts; its caches of freed pieces, which it does not overwrite, are off.
enum Forgetting {
    private static let name = "GLIBC_TUNABLES"
    private static let tunables = "glibc.malloc.perturb=165:glibc.malloc.tcache_count=0"

    /// Starts the program once more with that setting, in the same process; returns where it has it.
    static func begin() {
        let given = getenv(name).map { String(cString: $0) } ?? ""
        guard !given.contains(tunables), let path = realpath("/proc/self/exe", nil) else { return }
        setenv(name, given.isEmpty ? tunables : "\(given):\(tunables)", 1)
        execv(path, CommandLine.unsafeArgv)
        // Where it cannot be started again it goes on: files are forgotten all the same.
    }
}
