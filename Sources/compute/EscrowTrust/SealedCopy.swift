public import EscrowDiagnostics
public import EscrowFiles
internal import Glibc

/// A private copy of a file that nobody can change any more: not its owner, not this process (memfd_create(2), sealed).
///
/// Its digest is taken from the sealed copy itself, so that what was verified is what runs, whatever happens to the path
/// meanwhile; the path is opened once and never looked at again.
public struct SealedCopy: ~Copyable {
    private let memory: Descriptor
    public let digest: Digest
    public let size: Int

    /// The descriptor, valid for as long as this value lives; close-on-exec.
    public var descriptor: Int32 { memory.raw }

    public enum Mode: UInt32, Sendable {
        case executable = 0o111
        case readable = 0o444
    }

    /// Copies a file of at most `limit` bytes below an open folder.
    ///
    /// Every component of `path` is opened without following a link; the file must be a regular one without setuid or
    /// setgid bit.
    public static func copy(
        _ path: String, below folder: borrowing Descriptor, limit: Int, mode: Mode
    ) throws(Diagnostic) -> SealedCopy {
        try copy(path, below: folder, limit: limit, mode: mode, cache: nil)
    }

    /// The same; a copy in `cache` of the unchanged file is as good as a new one.
    static func copy(
        _ path: String, below folder: borrowing Descriptor, limit: Int, mode: Mode, cache: SealedCache?
    ) throws(Diagnostic) -> SealedCopy {
        let now = FileStamp.tick()
        let file = try Walk.open(path, below: folder)
        let size = try Walk.checkRegular(file, path, limit: limit)
        // Before the file is read: what is written to it from now on changes the stamp that is found next time, if it had rested.
        let stamp = cache == nil ? nil : FileStamp(file)
        if let stamp, let kept = cache?.find(stamp, mode) { return kept }
        let memory = MemoryFile.make(path)
        guard memory >= 0 else { throw unsealable(path, "cannot be copied into memory", -memory) }
        let copy = Descriptor(owning: memory)
        // One byte more than the size shows a file that grows while it is read.
        var copied = 0
        while copied <= size {
            let got = retrying { sendfile(copy.raw, file.raw, nil, size - copied + 1) }
            guard got >= 0 else { throw .file(path, "cannot be copied into memory", errno) }
            if got == 0 { break }
            copied += got
        }
        guard copied == size else {
            throw Diagnostic(
                .fileChangedWhileRead, "\(path) changed while it was read", help: "run the command again")
        }
        // Sealed before it is hashed: until then another process of the same person could write to it through /proc.
        let error = MemoryFile.seal(copy, mode: mode.rawValue)
        guard error == 0 else { throw unsealable(path, "cannot be sealed", error) }
        let digest = try withContent(of: copy, size: size, whole: true, path) { Digest(of: $0) }
        let sealed = SealedCopy(memory: copy, digest: digest, size: size)
        if let stamp, stamp.hasRested(at: now) { cache?.keep(sealed, of: stamp, mode) }
        return sealed
    }

    /// A copy of nothing, for a plugin whose program is elsewhere.
    static func nothing() throws(Diagnostic) -> SealedCopy {
        let memory = MemoryFile.make("nothing")
        guard memory >= 0 else { throw unsealable("nothing", "cannot be copied into memory", -memory) }
        let copy = Descriptor(owning: memory)
        let error = MemoryFile.seal(copy, mode: Mode.readable.rawValue)
        guard error == 0 else { throw unsealable("nothing", "cannot be sealed", error) }
        return SealedCopy(memory: copy, digest: Digest(of: []), size: 0)
    }

    /// A kernel or a filter without memfds or seals lacks a wall of the sandbox, and says so; a process that is out of
    /// descriptors or memory does not.
    private static func unsealable(_ path: String, _ what: String, _ error: Int32) -> Diagnostic {
        guard [ENOSYS, EINVAL, EPERM].contains(error) else { return .file(path, what, error) }
        return Diagnostic(
            .wallDoesNotHold,
            "the wall sealed-program is missing on this machine: \(path) \(what): \(String(cString: strerror(error)))",
            notes: ["this wall means: what runs is the copy that was verified"],
            help: "`escrow doctor` shows what to change; this wall cannot be lowered")
    }

    /// Gives the descriptor away: whoever takes it closes it.
    consuming func releaseDescriptor() -> Int32 { memory.release() }

    func withContent<Result>(_ body: (UnsafeRawBufferPointer) -> Result) throws(Diagnostic) -> Result {
        try Self.withContent(of: memory, size: size, "sealed copy", body)
    }

    /// The beginning of the content, of at most so many bytes. pread(2)
    func read(upTo count: Int) throws(Diagnostic) -> [UInt8] {
        var failure: Int32 = 0
        let wanted = min(count, size)
        let bytes = [UInt8](unsafeUninitializedCapacity: wanted) { buffer, filled in
            while filled < wanted, let base = buffer.baseAddress {
                let got = retrying { pread(memory.raw, base + filled, wanted - filled, filled) }
                if got < 0 { failure = errno }
                if got <= 0 { break }
                filled += got
            }
        }
        guard failure == 0, bytes.count == wanted else {
            throw .file("sealed copy", "cannot be read", failure == 0 ? EIO : failure)
        }
        return bytes
    }

    private static func withContent<Result>(
        of memory: borrowing Descriptor, size: Int, whole: Bool = false, _ path: String,
        _ body: (UnsafeRawBufferPointer) -> Result
    ) throws(Diagnostic) -> Result {
        guard size > 0 else { return body(UnsafeRawBufferPointer(start: nil, count: 0)) }
        // All pages at once where all are read; to map them for a look at a header would take longer than the look.
        // Private, though nobody writes: before Linux 6.7 a shared view of a sealed file is refused.
        let flags = MAP_PRIVATE | (whole ? Int32(MAP_POPULATE) : 0)
        guard let address = mmap(nil, size, PROT_READ, flags, memory.raw, 0),
            address != MAP_FAILED
        else { throw .file(path, "cannot be mapped", errno) }
        defer { munmap(address, size) }
        return body(UnsafeRawBufferPointer(start: address, count: size))
    }

    init(memory: consuming Descriptor, digest: Digest, size: Int) {
        self.memory = memory
        self.digest = digest
        self.size = size
    }
}
