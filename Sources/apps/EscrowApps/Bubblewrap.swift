import CAppPeers
public import EscrowDiagnostics
import EscrowFiles
import Glibc

/// A program under bubblewrap, started and waited for.
public enum Bubblewrap {
    private nonisolated(unsafe) static var process: pid_t = 0

    /// Starts it with nothing open but its first three descriptors, and a terminal of its own where one of them is the person's.
    /// Returns the exit status of a shell's making. E1258.
    public static func run(_ words: [String]) throws(Diagnostic) -> Int32 {
        var terminal = try AppTerminal.instead()
        process = start(words, on: terminal)
        guard process > 0 else {
            throw Diagnostic(
                .confinementMissing, "bwrap cannot be started: \(String(cString: strerror(errno)))",
                help: "install it: apt install bubblewrap")
        }
        // What would end this process ends the program, so that the terminal and the socket are left in order. The program ends
        // as well where this process is killed, by --die-with-parent.
        for number in [SIGINT, SIGQUIT, SIGTERM, SIGHUP] { signal(number) { kill(Bubblewrap.process, $0) } }
        terminal?.relay()
        // Whatever is still there has its terminal hung up.
        terminal = nil
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        let end = status & 0x7F
        return end == 0 ? (status >> 8) & 0xFF : 128 + end
    }

    private static func start(_ words: [String], on terminal: AppTerminal?) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        guard posix_spawn_file_actions_init(&actions) == 0, posix_spawnattr_init(&attributes) == 0
        else { return -1 }
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        // POSIX_SPAWN_SETSID: the person's session is none of the program's. The first terminal that the leader of a new one opens is
        // that session's.
        posix_spawnattr_setflags(&attributes, 0x80)
        if let terminal {
            let first = terminal.replaced[0]
            posix_spawn_file_actions_addopen(&actions, first, terminal.path, O_RDWR, 0)
            for other in terminal.replaced.dropFirst() {
                posix_spawn_file_actions_adddup2(&actions, first, other)
            }
        }
        guard Spawning.closeFrom(&actions, 3) == 0 else { return -1 }
        let copies = words.map { strdup($0) }
        defer { copies.forEach { free($0) } }
        var process: pid_t = 0
        let error = posix_spawnp(&process, words[0], &actions, &attributes, copies + [nil], environ)
        guard error == 0 else {
            errno = error
            return -1
        }
        return process
    }
}
