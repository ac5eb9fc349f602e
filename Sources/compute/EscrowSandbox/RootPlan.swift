import CEscrowLauncher
import EscrowDiagnostics
import Glibc

/// What a plugin's root holds: nothing for strict; for runtime the interpreter, its libraries and its own script files, all
/// read-only. Each is a copy in memory of this run alone: two runs could talk through a shared file, by the page cache and the
/// keys of futexes. There is no procfs, which would show the disk's name, the person's user id and the host's session.
struct RootPlan: Sendable {
    enum Entry: Sendable, Equatable {
        case directory(String)
        case symlink(String, to: String)
        /// A file system of its own, in memory, of which nothing can be executed or mapped as code.
        case memory(String, options: String)
        /// The same, of which files may be mapped as code.
        case codeMemory(String, options: String)
        case copy(name: String, fd: Int32, size: UInt64)
        /// A copy of a part of the interpreter's image.
        case part(String, offset: UInt64, size: UInt64, isProgram: Bool)
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

    static let empty = RootPlan()

    private init() {}

    #if arch(x86_64)
    static let multiarch = "x86_64-linux-gnu"
    #else
    static let multiarch = "aarch64-linux-gnu"
    #endif

    /// The interpreter's image; nil in strict.
    private(set) var image: InterpreterImage?
    /// Beneath these are files to open.
    private(set) var trees: [String] = []
    /// The bytes of memory that each run's own copies take.
    private(set) var memory: UInt64 = 0

    init(
        interpreter: Interpreter, files: [(name: String, fd: Int32)], mapsCode: Bool = false
    ) throws(Diagnostic) {
        let read = Self.readFile | Self.readDirectory
        let image = try InterpreterImage.of(interpreter)
        let page = UInt64(getpagesize())
        var copies: [Entry] = []
        var total: UInt64 = 0
        var folders: Set<String> = []
        for file in files {
            let size = try Self.check(file, hasFolders: mapsCode)
            for folder in Self.folders(of: file.name) where folders.insert(folder).inserted {
                copies.append(.directory("plugin/\(folder)"))
            }
            copies.append(.copy(name: "plugin/\(file.name)", fd: file.fd, size: size))
            total += (size + page - 1) / page * page
        }
        entries = image.entries
        // Its own files lie apart: the loader must map the libraries as code, and nothing that a publisher sent, unless the
        // individual was told so.
        let options = "size=\(total + page),nr_inodes=\(copies.count + 2),mode=0555"
        entries.append(
            mapsCode ? .codeMemory("plugin", options: options) : .memory("plugin", options: options))
        entries += copies
        // The kernel opens the loader for execution when it starts the interpreter; nothing else may be executed.
        for program in [interpreter.path, interpreter.loader].compactMap(\.self) {
            entries.append(.rule(Self.relative(program), rights: Self.execute | Self.readFile))
        }
        for tree in image.trees + ["/plugin"] { entries.append(.rule(Self.relative(tree), rights: read)) }
        trees = image.trees + [interpreter.path]
        memory = image.memory + total
        self.options = "size=\(image.memory + page),nr_inodes=\(image.entries.count + 16),mode=0555"
        self.image = image
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

    /// The most that one script file may hold; it is copied for each run.
    static let largestFile: UInt64 = 64 << 20

    /// A file's size, if it is sealed, small enough and sensibly named.
    private static func check(
        _ file: (name: String, fd: Int32), hasFolders: Bool
    ) throws(Diagnostic) -> UInt64 {
        let parts = file.name.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 1 || (hasFolders && parts.count <= 8), parts.allSatisfy({ isName(String($0)) })
        else {
            throw Diagnostic(
                .scriptFilesUnfit, "a script file's name cannot be used",
                help:
                    "use 1 to 64 of a-z, A-Z, 0-9, '.', '_' and '-', beginning with a letter, a digit or '_'")
        }
        try SealedFile.check(file.fd, "the script file \(file.name)")
        var information = stat()
        guard fstat(file.fd, &information) == 0, information.st_size <= largestFile else {
            throw Diagnostic(
                .scriptFilesUnfit, "the script file \(file.name) is larger than \(largestFile >> 20) MiB")
        }
        return UInt64(information.st_size)
    }

    /// The folders that a name has in it, outermost first.
    private static func folders(of name: String) -> [String] {
        let parts = name.split(separator: "/")
        return parts.indices.dropFirst().map { parts[..<$0].joined(separator: "/") }
    }

    /// A name that is one component and no option, in any file system.
    static func isName(_ name: String) -> Bool {
        let bytes = Array(name.utf8)
        func isLetter(_ byte: UInt8) -> Bool {
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        }
        guard let first = bytes.first, bytes.count <= 64, isLetter(first) || first == 0x5f else {
            return false
        }
        return bytes.allSatisfy { isLetter($0) || [0x2d, 0x2e, 0x5f].contains($0) }
    }

    private static func relative(_ path: String) -> String { String(path.dropFirst()) }
}
