import Glibc

/// Files as the runner needs them.
enum Files {
    /// The whole file.
    static func bytes(_ path: String) throws(ProbeFailure) -> [UInt8] {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw ProbeFailure("\(path) cannot be read: errno \(errno)") }
        defer { close(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = read(file, &buffer, buffer.count)
            guard count >= 0 else { throw ProbeFailure("\(path) cannot be read: errno \(errno)") }
            if count == 0 { return bytes }
            bytes += buffer.prefix(count)
        }
    }

    /// The whole file as text.
    static func text(_ path: String) throws(ProbeFailure) -> String {
        String(decoding: try bytes(path), as: UTF8.self)
    }

    /// Writes a new file that anybody may read.
    static func write(_ bytes: [UInt8], to path: String) throws(ProbeFailure) {
        let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard file >= 0 else { throw ProbeFailure("\(path) cannot be made: errno \(errno)") }
        defer { close(file) }
        guard Glibc.write(file, bytes, bytes.count) == bytes.count else {
            throw ProbeFailure("\(path) cannot be written: errno \(errno)")
        }
    }

    /// The names in a folder, in order; those that begin with a dot only when asked for.
    static func names(in folder: String, hidden: Bool = false) throws(ProbeFailure) -> [String] {
        guard let handle = opendir(folder) else {
            throw ProbeFailure("\(folder) cannot be listed: errno \(errno)")
        }
        defer { closedir(handle) }
        var names: [String] = []
        while let entry = readdir(handle) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name.hasPrefix(".") ? hidden && name != "." && name != ".." : true { names.append(name) }
        }
        return names.sorted()
    }

    /// Whether there is a folder of that name.
    static func isFolder(_ path: String) -> Bool {
        var information = stat()
        return stat(path, &information) == 0 && information.st_mode & S_IFMT == S_IFDIR
    }
}

/// A temporary folder for what is built and for what controls write, removed at the end.
struct Workplace: Sendable {
    /// The folder.
    let path: String

    /// Makes one that anybody may enter and only the owner may change.
    init() throws(ProbeFailure) {
        var template = Array("/tmp/escrow-probes.XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw ProbeFailure("no temporary folder: errno \(errno)") }
        path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        _ = chmod(path, 0o755)
    }

    /// A new folder in it.
    func folder(_ name: String) throws(ProbeFailure) -> String {
        let folder = "\(path)/\(name)"
        guard mkdir(folder, 0o755) == 0 else {
            throw ProbeFailure("\(folder) cannot be made: errno \(errno)")
        }
        return folder
    }

    /// Gives it away, so that a process that becomes somebody else can still remove it.
    func give(to user: uid_t, _ group: gid_t) throws(ProbeFailure) {
        let result = try Command(arguments: ["/bin/chown", "-hR", "\(user):\(group)", path]).run()
        guard result.status == .exited(0) else { throw ProbeFailure("\(path) cannot be given away") }
    }

    /// Removes it with all that is in it.
    func remove() {
        do { _ = try Command(arguments: ["/bin/rm", "-rf", path]).run() } catch { print("\(error)") }
    }
}
