import EscrowDiagnostics
import EscrowFiles
import Glibc

/// Runs a tool of the machine, such as a compiler, on behalf of a plugin author. Never with a person's data.
enum Tool {
    /// Runs a command in a folder; what it prints goes to our stderr. Throws unless it ends with 0.
    static func run(_ arguments: [String], in folder: String) throws(Diagnostic) {
        let status = try spawn(arguments, in: folder, output: 2)
        guard status == 0 else {
            throw Diagnostic(
                .toolFailed, "\(arguments[0]) ended with status \(status)",
                notes: ["the command was: \(arguments.joined(separator: " "))", "in: \(folder)"],
                help: "see its messages above")
        }
    }

    private static func spawn(_ arguments: [String], in folder: String, output: Int32) throws(Diagnostic)
        -> Int32
    {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, output, 1)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // We ignore SIGPIPE; a tool must not inherit that.
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
        var pid: pid_t = 0
        var argv: [UnsafeMutablePointer<CChar>?] =
            (["env", "-C", folder] + arguments).map { strdup($0) } + [nil]
        defer { argv.forEach { free($0) } }
        let error = posix_spawnp(&pid, "env", &actions, &attributes, &argv, environ)
        guard error == 0 else {
            throw Diagnostic(
                .toolNotStarted, "\(arguments[0]) cannot be started: \(String(cString: strerror(error)))",
                help: "install it, then run the command again")
        }
        var status: Int32 = 0
        _ = retrying { waitpid(pid, &status, 0) }
        // WIFEXITED and WEXITSTATUS are macros that Swift does not see.
        return status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + (status & 0x7F)
    }
}
