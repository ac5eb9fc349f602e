import CAppPeers
public import EscrowDiagnostics
import EscrowFiles
import Glibc

/// A program under bubblewrap, started and waited for.
public enum Bubblewrap {
    /// Starts it with nothing open but its first three descriptors, and returns the exit status of a shell's making. E1258.
    public static func run(_ words: [String]) throws(Diagnostic) -> Int32 {
        let process = start(words)
        guard process > 0 else {
            throw Diagnostic(
                .confinementMissing, "bwrap cannot be started: \(String(cString: strerror(errno)))",
                help: "install it: apt install bubblewrap")
        }
        // What is typed at the terminal goes to the program as well; what ends this process ends it, by --die-with-parent.
        signal(SIGINT, SIG_IGN)
        signal(SIGQUIT, SIG_IGN)
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        let end = status & 0x7F
        return end == 0 ? (status >> 8) & 0xFF : 128 + end
    }

    private static func start(_ words: [String]) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        guard posix_spawn_file_actions_init(&actions) == 0 else { return -1 }
        defer { posix_spawn_file_actions_destroy(&actions) }
        guard Spawning.closeFrom(&actions, 3) == 0 else { return -1 }
        let copies = words.map { strdup($0) }
        defer { copies.forEach { free($0) } }
        var process: pid_t = 0
        let error = posix_spawnp(&process, words[0], &actions, nil, copies + [nil], environ)
        guard error == 0 else {
            errno = error
            return -1
        }
        return process
    }
}
