import CEscrowLauncher
import EscrowDiagnostics
import EscrowFiles
import Glibc

/// All the bytes that an interpreter needs, in one private file of the host's. Each run's root is filled with copies of it, as
/// two processes can talk through a file that they share in the page cache.
final class InterpreterImage: Sendable {
    /// What a root gets of it, in order.
    let entries: [RootPlan.Entry]
    /// The sealed file that the entries' places are in.
    let fd: Int32
    /// What a copy takes of memory, in whole pages.
    let memory: UInt64
    /// The folders that scripts may list and read, none within another.
    let trees: [String]
    /// The folders of the machine that it was made from, as they were.
    private let stamps: [String: Stamp]

    private struct Stamp: Equatable {
        let device: UInt64
        let number: UInt64
        let modified: [Int]

        init?(_ path: String) {
            var information = stat()
            guard stat(path, &information) == 0 else { return nil }
            device = UInt64(information.st_dev)
            number = UInt64(information.st_ino)
            modified = [
                information.st_mtim.tv_sec, information.st_mtim.tv_nsec, information.st_ctim.tv_sec,
                information.st_ctim.tv_nsec,
            ]
        }
    }

    private static let made = Monitor<[String: InterpreterImage]>([:])
    /// Far above what any interpreter of the list needs.
    private static let largest: UInt64 = 512 << 20

    /// The image of an interpreter, made once, and again after an update of its files. Throws when others than root could have
    /// changed a file, when files keep changing, and without memory.
    static func of(_ interpreter: Interpreter) throws(Diagnostic) -> InterpreterImage {
        try made.withLock { (made: inout [String: InterpreterImage]) throws(Diagnostic) in
            if let image = made[interpreter.path], stamps(image.stamps.keys) == image.stamps { return image }
            // An update in the middle would leave a mixture of two versions.
            for _ in 0..<3 {
                let closure = InterpreterClosure(of: interpreter)
                let before = stamps(closure.folders)
                let image = try InterpreterImage(closure, interpreter, before)
                if stamps(closure.folders) == before {
                    made[interpreter.path] = image
                    return image
                }
            }
            throw Diagnostic(
                .interpreterUnusable, "the files of the interpreter \(interpreter.word) are being changed",
                help: "wait until the machine's update has ended, and try again")
        }
    }

    private static func stamps(_ folders: some Sequence<String>) -> [String: Stamp] {
        var stamps: [String: Stamp] = [:]
        for folder in folders { stamps[folder] = Stamp(folder) }
        return stamps
    }

    private init(
        _ closure: InterpreterClosure, _ interpreter: Interpreter, _ stamps: [String: Stamp]
    ) throws(Diagnostic) {
        let number = MemoryFile.make("interpreter")
        guard number >= 0 else { throw Self.failed(-number) }
        let bytes = Descriptor(owning: number)
        let page = UInt64(getpagesize())
        var entries: [RootPlan.Entry] = []
        var folders: Set<String> = []
        var end: UInt64 = 0
        var memory: UInt64 = 0
        for (path, item) in closure.items {
            let target = String(path.dropFirst())
            switch item {
            case .directory: entries.append(.directory(target))
            case .link(let to): entries.append(.symlink(target, to: to))
            case .file(let source):
                let size = try Self.append(source, interpreter.word, to: bytes.raw)
                let isProgram = path == interpreter.path || path == interpreter.loader
                entries.append(.part(target, offset: end, size: size, isProgram: isProgram))
                end += size
                memory += (size + page - 1) / page * page
                if path != interpreter.path, let slash = path.lastIndex(of: "/") {
                    folders.insert(String(path[..<slash]))
                }
                guard end <= Self.largest else {
                    throw Diagnostic(
                        .interpreterUnusable,
                        "the interpreter \(interpreter.word) needs more than \(Self.largest >> 20) MiB of files"
                    )
                }
            }
        }
        let error = MemoryFile.seal(bytes, mode: 0o400)
        guard error == 0 else { throw Self.failed(error) }
        self.entries = entries
        self.memory = memory
        trees = folders.filter { folder in !folders.contains { folder.hasPrefix($0 + "/") } }.sorted()
        self.stamps = stamps
        fd = bytes.release()
    }

    deinit { close(fd) }

    /// Appends a file of the machine that nobody but root could have changed; its size.
    private static func append(_ path: String, _ word: String, to file: Int32) throws(Diagnostic) -> UInt64 {
        let number = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard number >= 0 else {
            throw Diagnostic(
                .interpreterUnusable,
                "the interpreter \(word) cannot be read: \(path): \(errnoSentence(errno))")
        }
        let source = Descriptor(owning: number)
        var information = stat()
        guard fstat(source.raw, &information) == 0, information.st_mode & S_IFMT == S_IFREG,
            Interpreter.isTrusted(information)
        else { throw Interpreter.untrusted(path, word) }
        let size = UInt64(information.st_size)
        let error = escrow_append(file, source.raw, size)
        guard error == 0 else { throw failed(error) }
        return size
    }

    private static func failed(_ error: Int32) -> Diagnostic {
        Diagnostic(.noSealedFile, "no sealed file could be made: \(errnoSentence(error))")
    }
}
