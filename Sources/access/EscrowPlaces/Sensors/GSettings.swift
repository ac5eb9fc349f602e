internal import EscrowFiles
internal import Glibc

/// The settings of GNOME, read by GNOME's own program, gsettings(1): it knows where they are kept and what holds where nothing was
/// set.
struct GSettings {
    private static let program = "/usr/bin/gsettings"
    private static let patienceMs: Int32 = 5_000
    /// `NAME=VALUE`: all that the program is told.
    private let environment: [String]

    /// As the owner of a bus has them.
    init(socket: String) {
        let names: [String] = ["HOME", "XDG_CONFIG_HOME", "XDG_RUNTIME_DIR", "XDG_DATA_DIRS"]
        let known = names.compactMap { name in
            getenv(name).map { "\(name)=\(String(cString: $0))" }
        }
        self.init(environment: known + ["DBUS_SESSION_BUS_ADDRESS=unix:path=\(socket)"])
    }

    init(environment: [String]) { self.environment = environment }

    /// A switch; nil where the program, the schema or the key is not there.
    func bool(_ schema: String, _ key: String) -> Bool? {
        switch output(of: ["gsettings", "get", schema, key]) {
        case "true\n": true
        case "false\n": false
        default: nil
        }
    }

    /// What it prints when it ends well and in time.
    private func output(of words: [String]) -> String? {
        var ends: [Int32] = [-1, -1]
        // Not a pipe: one that no other child inherits cannot be made in one step here.
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
            return nil
        }
        defer { close(ends[0]) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
        posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        var pid: pid_t = 0
        var arguments = words.map { strdup($0) } + [nil]
        var variables = environment.map { strdup($0) } + [nil]
        defer { for text in arguments + variables { free(text) } }
        let isStarted =
            Spawning.closeFrom(&actions, 3) == 0
            && posix_spawn(&pid, Self.program, &actions, nil, &arguments, &variables) == 0
        close(ends[1])
        guard isStarted else { return nil }
        let text = Self.read(ends[0])
        // It is at its end, or too late.
        if text == nil { kill(pid, SIGKILL) }
        var status: Int32 = 0
        while waitpid(pid, &status, 0) < 0, errno == EINTR {}
        return status == 0 ? text : nil
    }

    /// All up to the end of file; nil where that does not come in time, or more comes than a switch can be.
    private static func read(_ end: Int32) -> String? {
        var text: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 256)
        while text.count <= 256 {
            var entry = pollfd(fd: end, events: Int16(POLLIN), revents: 0)
            guard poll(&entry, 1, patienceMs) > 0 else { return nil }
            let count = Glibc.read(end, &piece, piece.count)
            guard count > 0 else { return count == 0 ? String(decoding: text, as: UTF8.self) : nil }
            text += piece.prefix(count)
        }
        return nil
    }
}
