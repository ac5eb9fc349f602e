import CAppPeers
import EscrowConsent
import EscrowFiles
import EscrowLocation
import Glibc

/// Who is at the other end of a connection, as far as the kernel and the session say so.
struct Peer: Sendable {
    /// The app, where it is proved.
    let app: String?
    /// How.
    let proof: AppProof
    /// The process that connected.
    let process: pid_t
    /// The same, told from a later one of its number; nil where it had ended already.
    private let program: ProgramInUse?

    /// What shares one allowance of connections and runs: an app, or a process that proves nothing.
    var share: String { app ?? Self.share(of: process) }

    /// Who pays for what it opens.
    var payer: Payer {
        guard app == nil else { return Payer(share: share, isProved: true) }
        // A process of another name space has no number here: whether it ended nobody can tell.
        return Payer(share: share, isProved: false) { [process, program] in
            process > 0 && program?.isThere != true
        }
    }

    /// That of a process that proves nothing.
    static func share(of process: pid_t) -> String { "process \(process)" }

    /// Looks at a connection. Nil for another user's. `ownApp` is the app whose own socket it came over.
    init?(_ connection: Int32, ownApp: String?) {
        var process: pid_t = 0
        var user: uid_t = 0
        guard app_peer(connection, &process, &user), user == geteuid() else { return nil }
        self.process = process
        if let ownApp {
            app = ownApp
            proof = .socket
            program = nil
            return
        }
        // What is read of a number is the peer's only if its process is still there afterwards.
        let handle = app_peer_process(connection)
        defer { if handle >= 0 { close(handle) } }
        let found =
            Self.flatpak(process).map { ($0, AppProof.flatpak) } ?? Self.scope(process).map { ($0, .scope) }
        let seen = ProgramInUse(process)
        let lives = handle >= 0 && app_process_lives(handle)
        program = lives || handle < 0 ? seen : nil
        if let found, lives {
            (app, proof) = found
        } else {
            (app, proof) = (nil, .claim)
        }
    }

    /// The id that Flatpak wrote into the root of the app's process, where the app cannot write.
    private static func flatpak(_ process: pid_t) -> String? {
        // A process in our own root is in no Flatpak, whatever lies there.
        guard !isOurs(process),
            let bytes = try? SecureFile.read("/proc/\(process)/root/.flatpak-info", limit: 1 << 16)
        else { return nil }
        return InstanceFile.app(String(decoding: bytes, as: UTF8.self)).flatMap(AppName.id)
    }

    private static func isOurs(_ process: pid_t) -> Bool {
        var theirs = stat()
        var ours = stat()
        guard stat("/proc/\(process)/root", &theirs) == 0, stat("/", &ours) == 0 else { return true }
        return theirs.st_dev == ours.st_dev && theirs.st_ino == ours.st_ino
    }

    private static func scope(_ process: pid_t) -> String? {
        guard let file = try? Descriptor(opening: "/proc/\(process)/cgroup", O_RDONLY),
            let bytes = try? file.read(1 << 14)
        else { return nil }
        return ScopeName.app(String(decoding: bytes, as: UTF8.self)).flatMap(AppName.id)
    }
}

/// An id of a desktop's as an app id: the same labels in small letters.
enum AppName {
    static func id(_ name: String) -> String? {
        let id = name.lowercased().replacing("_", with: "-")
        return Dataflow.isAppID(id) ? id : nil
    }
}

/// `/.flatpak-info`: a key file. flatpak-metadata(5)
enum InstanceFile {
    /// `name` of the group `Application`; nil where there is none, or more than one.
    static func app(_ text: String) -> String? {
        var group = ""
        var names: [String] = []
        for line in text.split(whereSeparator: \.isNewline) {
            if line.hasPrefix("[") {
                group = String(line)
            } else if group == "[Application]", line.hasPrefix("name=") {
                names.append(String(line.dropFirst(5)))
            }
        }
        return names.count == 1 ? names[0] : nil
    }
}

/// Names of systemd's units as desktops give them to apps: `app[-LAUNCHER]-APPID[-RANDOM].scope`, or `.service` with `@`.
/// systemd.io/DESKTOP_ENVIRONMENTS
enum ScopeName {
    /// The id in the last unit of a line `0::/…` of `/proc/PID/cgroup`.
    static func app(_ text: String) -> String? {
        guard let line = text.split(separator: "\n").first(where: { $0.hasPrefix("0::/") }),
            let unit = line.split(separator: "/").last(where: {
                $0.hasSuffix(".scope") || $0.hasSuffix(".service")
            }),
            unit.hasPrefix("app-")
        else { return nil }
        let isScope = unit.hasSuffix(".scope")
        var name = unit.dropFirst(4).dropLast(isScope ? 6 : 8)
        if isScope {
            // The random part is always there in a scope, and holds no dash that is not escaped.
            guard let dash = name.lastIndex(of: "-") else { return nil }
            name = name[..<dash]
        } else if let mark = name.firstIndex(of: "@") {
            name = name[..<mark]
        }
        // A dash of the id's own is escaped, so that one that is left parts the launcher from it.
        guard let id = name.split(separator: "-").last else { return nil }
        return unescaped(id)
    }

    /// `\x2d` and the like. systemd-escape(1)
    private static func unescaped(_ text: Substring) -> String? {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "\\") else {
                bytes.append(byte)
                continue
            }
            guard rest.count >= 3, rest.removeFirst() == UInt8(ascii: "x"),
                let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
            else { return nil }
            bytes.append(value)
            rest = rest.dropFirst(2)
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
