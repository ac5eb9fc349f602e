import CEscrowLauncher
import EscrowDiagnostics
import Glibc

/// What a plugin's root holds: nothing for strict; for runtime the interpreter, its libraries, its own script
/// files, all read-only. There is no procfs: it would show the disk's name, the person's user id and the session
/// that the host was started from, and no interpreter needs it.
struct RootPlan: Sendable {
    /// One thing to make, in order.
    enum Entry: Sendable, Equatable {
        case directory(String)
        case symlink(String, to: String)
        case bind(String, rights: UInt64)
        case bindFile(String, rights: UInt64)
        case copy(name: String, fd: Int32, size: UInt64)
        /// Landlock rights on a file or directory made before.
        case rule(String, rights: UInt64)
    }

    private(set) var entries: [Entry] = []
    /// tmpfs options.
    private(set) var options = "size=4k,nr_inodes=4,mode=0555"

    /// Landlock rights: EXECUTE, READ_FILE, READ_DIR.
    static let execute: UInt64 = 1
    static let readFile: UInt64 = 1 << 2
    static let readDirectory: UInt64 = 1 << 3

    /// The empty root of strict.
    static let empty = RootPlan()

    private init() {}

    #if arch(x86_64)
    static let multiarch = "x86_64-linux-gnu"
    #else
    static let multiarch = "aarch64-linux-gnu"
    #endif

    /// The root of a script.
    init(interpreter: Interpreter, files: [(name: String, fd: Int32)]) throws(Diagnostic) {
        let read = Self.readFile | Self.readDirectory
        var made: Set<String> = []  // directories of the root itself
        var covered: Set<String> = []  // links and bound trees: nothing can be made below them
        func isCovered(_ path: String) -> Bool {
            covered.contains { path == $0 || path.hasPrefix($0 + "/") }
        }
        // Debian keeps libraries in /usr/lib/<multiarch>, others in /usr/lib64; where /lib is no link to /usr/lib,
        // it is a tree of its own.
        for link in ["/lib", "/lib64"] {
            if let target = Self.linkTarget(link) {
                entries.append(.symlink(Self.relative(link), to: target))
                covered.insert(link)
            }
        }
        let trees = [
            "/usr/lib/\(Self.multiarch)", "/usr/lib64", "/lib/\(Self.multiarch)", "/lib64",
        ]
        for tree in trees + interpreter.trees {
            guard !isCovered(tree), Self.isDirectory(tree) else { continue }
            addDirectories(above: tree, &made)
            entries.append(.bind(Self.relative(tree), rights: read))
            covered.insert(tree)
        }
        if !isCovered(interpreter.path) {
            addDirectories(above: interpreter.path, &made)
            entries.append(.bindFile(Self.relative(interpreter.path), rights: Self.execute | Self.readFile))
        }
        // The kernel opens the loader for execution when it starts the interpreter; nothing else may be executed.
        if let loader = interpreter.loader {
            entries.append(.rule(Self.relative(loader), rights: Self.execute | Self.readFile))
        }
        entries.append(.directory("plugin"))
        var total: UInt64 = 0
        for file in files {
            let size = try Self.check(file)
            entries.append(.copy(name: "plugin/\(file.name)", fd: file.fd, size: size))
            total += (size + 4095) / 4096 * 4096
        }
        entries.append(.rule("plugin", rights: read))
        options = "size=\(total + 16384),nr_inodes=\(entries.count + 16),mode=0555"
    }

    /// The absolute paths of what is bound.
    var trees: [String] {
        entries.compactMap { entry in
            switch entry {
            case .bind(let target, _), .bindFile(let target, _): "/" + target
            default: nil
            }
        }
    }

    /// Puts other descriptors in the place of the script files' own.
    mutating func replaceDescriptors(
        _ replace: (Int32) throws(Diagnostic) -> Int32
    ) throws(Diagnostic) {
        for index in entries.indices {
            if case .copy(let name, let fd, let size) = entries[index] {
                entries[index] = .copy(name: name, fd: try replace(fd), size: size)
            }
        }
    }

    private mutating func addDirectories(above path: String, _ made: inout Set<String>) {
        var current = ""
        for part in path.split(separator: "/").dropLast() {
            current += "/\(part)"
            if made.insert(current).inserted { entries.append(.directory(Self.relative(current))) }
        }
    }

    /// The most that one script file may hold; it is copied for each run.
    static let largestFile: UInt64 = 64 << 20

    /// A file's size, if it is sealed, small enough and sensibly named.
    private static func check(_ file: (name: String, fd: Int32)) throws(Diagnostic) -> UInt64 {
        guard isName(file.name) else {
            throw Diagnostic(
                "E0516", "a script file's name cannot be used",
                help: "use 1 to 64 of a-z, A-Z, 0-9, '.', '_' and '-', beginning with a letter or digit")
        }
        try SealedFile.check(file.fd, "the script file \(file.name)")
        var information = stat()
        guard fstat(file.fd, &information) == 0, information.st_size <= largestFile else {
            throw Diagnostic("E0516", "the script file \(file.name) is larger than \(largestFile >> 20) MiB")
        }
        return UInt64(information.st_size)
    }

    /// A name that is one component and no option, in any file system.
    static func isName(_ name: String) -> Bool {
        let bytes = Array(name.utf8)
        func isLetter(_ byte: UInt8) -> Bool {
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        }
        guard let first = bytes.first, bytes.count <= 64, isLetter(first) else { return false }
        return bytes.allSatisfy { isLetter($0) || [0x2d, 0x2e, 0x5f].contains($0) }
    }

    private static func relative(_ path: String) -> String { String(path.dropFirst()) }

    private static func isDirectory(_ path: String) -> Bool {
        var information = stat()
        return lstat(path, &information) == 0 && information.st_mode & S_IFMT == S_IFDIR
    }

    private static func linkTarget(_ path: String) -> String? {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(path, &buffer, buffer.count - 1)
        return count > 0
            ? String(decoding: buffer.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self) : nil
    }
}
