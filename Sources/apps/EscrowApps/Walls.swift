public import EscrowDiagnostics
import EscrowFiles
import Glibc

/// The walls of `escrow app run`, as words for bubblewrap: the system's programs, a home of the app's own, what its profile lets
/// through, and its own socket. What is not named is not there.
public struct Walls {
    /// Where the socket lies inside.
    public static let socket = "/run/escrow/service.sock"
    /// The app's home inside.
    public static let home = "/home/app"

    private let app: String
    private let profile: AppProfile
    /// What must not be reached: the sources, the escrow home, the service's folder.
    private let secrets: [String]
    /// The folders that this or another confined program may change.
    private let writable: [String]
    private let appHome: String
    /// Where the homes of all confined programs lie.
    private let homes: String
    private let socket: String
    private let tool: String
    private let display: Display

    /// What of the session a profile can let through.
    public struct Display: Sendable {
        var wayland: String?
        var x11: String?
        var authority: String?
        /// The relay's socket. Those of PulseAudio and PipeWire have the server load libraries for whoever asks.
        var sound: String?

        /// As this process has it, with a relay of the app's own for sound.
        public init(sound: SoundRelay? = nil) {
            self.sound = sound?.path
            let runtime = Self.value("XDG_RUNTIME_DIR")
            if let runtime {
                wayland = (Self.value("WAYLAND_DISPLAY") ?? nil).map {
                    $0.hasPrefix("/") ? $0 : runtime + "/" + $0
                }
            }
            if let name = Self.value("DISPLAY"), name.hasPrefix(":") {
                x11 = String(name.dropFirst().prefix { $0.isNumber })
            }
            authority = Self.value("XAUTHORITY") ?? Self.value("HOME").map { $0 + "/.Xauthority" }
        }

        private static func value(_ name: String) -> String? {
            getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
        }
    }

    /// Checks the profile. `tool` is this program, and `writable` what other confined programs may change. E1259.
    public init(
        app: String, profile: AppProfile, secrets: [String], escrowHome: String, appHome: String,
        socket: String, tool: String, writable: [String] = [],
        display: Display = Display()
    ) throws(Diagnostic) {
        self.app = app
        self.profile = profile
        self.socket = socket
        self.tool = tool
        self.display = display
        try SecureFile.makeFolder(SecureFile.parent(of: appHome))
        homes = Self.real(SecureFile.parent(of: appHome))
        self.appHome = Self.real(appHome)
        let home = Self.real(escrowHome)
        // Where a source leads, and every link on the way: who may change one could lead the host elsewhere.
        self.secrets = Array(Set(secrets.flatMap(Self.way) + [home])).sorted()
        self.writable = writable + profile.folders.filter(\.writes).map(\.path)
        for folder in profile.folders { try check(folder, home) }
        if self.secrets.contains(where: { Self.isWithin($0, self.appHome) }) {
            throw Self.unfit("a source lies in it", self.appHome)
        }
        try SecureFile.makeFolder(appHome)
    }

    /// Refuses a folder in which something secret lies. A cover over it would come off: a folder that may be changed is moved away
    /// from under it, a file that is saved by rename loses it, and a database's journal lies beside it.
    private func check(_ folder: AppProfile.Folder, _ home: String) throws(Diagnostic) {
        let path = folder.path
        var status = stat()
        guard path != "/", stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
            throw Self.unfit("it is no folder, or the whole file system", path)
        }
        // A link in the place of a folder on the way could lead anywhere.
        guard Self.real(path) == path else {
            throw Self.unfit("it leads elsewhere than when it was added", path)
        }
        guard !Self.isWithin(home, path), !Self.isWithin(path, home) else {
            throw Self.unfit("the escrow home lies in it", path)
        }
        for secret in secrets where Self.isWithin(path, secret) || Self.isWithin(secret, path) {
            throw Self.unfit(
                Self.isWithin(path, secret) ? "it lies in a source" : "a source lies in it", path)
        }
        guard !Self.isWithin(homes, path), !Self.isWithin(path, homes) else {
            throw Self.unfit(
                Self.isWithin(homes, path)
                    ? "the homes of confined programs lie in it"
                    : "it lies in the home of a confined program",
                path)
        }
        if let outer = writable.first(where: { $0 != path && Self.isWithin(path, $0) }) {
            throw Self.unfit("it lies in \(outer), which a confined program may change", path)
        }
    }

    /// Where a program of ours lies inside.
    public static let tool = "/run/escrow/escrow"

    /// The words for `bwrap`, without the command that is started.
    var words: [String] {
        var words = [
            "--unshare-user", "--unshare-ipc", "--unshare-pid", "--unshare-uts", "--unshare-cgroup-try",
            "--die-with-parent", "--as-pid-1", "--cap-drop", "ALL", "--hostname", "app", "--clearenv",
        ]
        if !profile.network { words.append("--unshare-net") }
        words += ["--ro-bind", "/usr", "/usr"]
        for name in ["bin", "sbin", "lib", "lib32", "lib64", "libx32"] { words += Self.root(name) }
        words += ["--ro-bind", "/etc", "/etc", "--ro-bind-try", "/opt", "/opt"]
        words += ["--dev", "/dev", "--proc", "/proc", "--tmpfs", "/tmp", "--dir", "/run/user/\(getuid())"]
        // The kernel lets its root write there, whatever name space it is in.
        if geteuid() == 0 { words += ["--ro-bind", "/proc/sys", "/proc/sys"] }
        words += ["--dir", "/var", "--symlink", "../tmp", "/var/tmp"]
        words += ["--bind", appHome, Self.home]
        // An outer one first: what is mounted later lies above.
        for folder in profile.folders.sorted(by: { $0.path < $1.path }) {
            words += [folder.writes ? "--bind" : "--ro-bind", folder.path, folder.path]
        }
        words += Covers().words(secrets + [homes]) + session()
        words += ["--bind", socket, Self.socket, "--ro-bind", tool, Self.tool]
        words += environment()
        return words + ["--chdir", Self.home]
    }

    /// The sockets inside that are let through: its own, and those of the session that its profile names.
    public var sockets: [String] {
        let runtime = "/run/user/\(getuid())"
        return [Self.socket, runtime + "/wayland-0", runtime + "/pulse/native"]
            + (display.x11.map { ["/tmp/.X11-unix/X\($0)"] } ?? [])
    }

    private func session() -> [String] {
        var words: [String] = []
        let runtime = "/run/user/\(getuid())"
        if profile.display {
            if let wayland = display.wayland, access(wayland, F_OK) == 0 {
                words += ["--ro-bind", wayland, runtime + "/wayland-0"]
            }
            if let number = display.x11 {
                let socket = "/tmp/.X11-unix/X\(number)"
                words += ["--ro-bind-try", socket, socket]
                if let authority = display.authority, access(authority, R_OK) == 0 {
                    words += ["--ro-bind", authority, "/run/escrow/Xauthority"]
                }
            }
            words += ["--dev-bind-try", "/dev/dri", "/dev/dri"]
        }
        if profile.sound, let sound = display.sound {
            words += ["--ro-bind", sound, runtime + "/pulse/native"]
        }
        if profile.network {
            words += ["--ro-bind-try", Self.real("/etc/resolv.conf"), Self.real("/etc/resolv.conf")]
        }
        return words
    }

    private func environment() -> [String] {
        var values = [
            ("PATH", "/usr/local/bin:/usr/bin:/bin"), ("HOME", Self.home), ("ESCROW_SOCKET", Self.socket),
            ("ESCROW_APP", app), ("XDG_RUNTIME_DIR", "/run/user/\(getuid())"),
        ]
        for name in ["LANG", "LC_ALL", "TERM"] {
            if let value = getenv(name) { values.append((name, String(cString: value))) }
        }
        if profile.display {
            if let number = display.x11 { values.append(("DISPLAY", ":" + number)) }
            if display.wayland != nil { values.append(("WAYLAND_DISPLAY", "wayland-0")) }
            if display.authority != nil { values.append(("XAUTHORITY", "/run/escrow/Xauthority")) }
        }
        if profile.sound, display.sound != nil {
            // A display may name another socket.
            values.append(("PULSE_SERVER", "unix:/run/user/\(getuid())/pulse/native"))
        }
        return values.flatMap { ["--setenv", $0, $1] }
    }

    /// A folder of the root that is a link in most systems today.
    private static func root(_ name: String) -> [String] {
        var status = stat()
        guard lstat("/" + name, &status) == 0 else { return [] }
        return status.st_mode & S_IFMT == S_IFLNK
            ? ["--symlink", "usr/" + name, "/" + name] : ["--ro-bind", "/" + name, "/" + name]
    }

    private static func unfit(_ why: String, _ path: String) -> Diagnostic {
        Diagnostic(
            .profileUnfit, "the folder \(path) cannot be let through: \(why)",
            help: "name a folder that the program needs, and no more: escrow app add ID --folder DIR")
    }

    /// Where a path leads, or the path itself where it leads nowhere.
    public static func real(_ path: String) -> String {
        guard let found = realpath(path, nil) else { return path }
        defer { free(found) }
        return String(cString: found)
    }

    /// Each link on the way to a file, and where it leads in the end; of a file that is missing, where it would be.
    static func way(_ path: String) -> [String] {
        var links: [String] = []
        var here = ""
        var rest = path.split(separator: "/").map(String.init)[...]
        while let part = rest.popFirst() {
            guard part != "." else { continue }
            guard part != ".." else {
                here = here.lastIndex(of: "/").map { String(here[..<$0]) } ?? ""
                continue
            }
            let name = here + "/" + part
            var target = [UInt8](repeating: 0, count: Int(PATH_MAX))
            let length = readlink(name, &target, target.count)
            guard length > 0, links.count < 40 else {
                here = name
                continue
            }
            links.append(name)
            if target[0] == UInt8(ascii: "/") { here = "" }
            rest =
                (String(decoding: target[..<length], as: UTF8.self).split(separator: "/").map(String.init)
                + rest)[...]
        }
        return links + [here.isEmpty ? "/" : here]
    }

    /// Whether a path is another, or lies below it.
    static func isWithin(_ path: String, _ folder: String) -> Bool {
        path == folder || path.hasPrefix(folder.hasSuffix("/") ? folder : folder + "/")
    }
}
