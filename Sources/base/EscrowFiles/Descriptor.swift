public import EscrowDiagnostics
public import Glibc

/// A file descriptor that is closed exactly once: when it goes out of scope.
public struct Descriptor: ~Copyable, Sendable {
    /// The number, valid for as long as this value lives.
    public let raw: Int32

    /// Takes over a descriptor that is open.
    public init(owning raw: Int32) { self.raw = raw }

    /// Opens a file; always with `O_CLOEXEC`. Corresponds to open(2).
    public init(opening path: String, _ flags: Int32, mode: mode_t = 0o600) throws(Diagnostic) {
        let raw = retrying { Glibc.open(path, flags | O_CLOEXEC, mode) }
        guard raw >= 0 else { throw .file(path, "cannot be opened", errno) }
        self.raw = raw
    }

    deinit { close(raw) }

    /// Gives up ownership: the caller closes it. Used where a descriptor moves to another owner.
    public consuming func release() -> Int32 {
        let raw = self.raw
        discard self
        return raw
    }

    /// Reads up to `count` bytes; empty at the end. Corresponds to read(2).
    public borrowing func read(_ count: Int) throws(Diagnostic) -> [UInt8] {
        var failure: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            let got = retrying { Glibc.read(raw, buffer.baseAddress, count) }
            if got < 0 { failure = errno }
            filled = max(0, got)
        }
        guard failure == 0 else { throw .file(name, "cannot be read", failure) }
        return bytes
    }

    /// Up to `count` bytes at an offset, fewer at the end of the file; nil with `errno` set. Corresponds to pread(2), repeated.
    public borrowing func bytes(at offset: Int64, count: Int) -> [UInt8]? {
        var code: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            while filled < count {
                let got = retrying {
                    pread(raw, buffer.baseAddress! + filled, count - filled, off_t(offset) + off_t(filled))
                }
                if got < 0 { code = errno }
                if got <= 0 { return }
                filled += got
            }
        }
        errno = code
        return code == 0 ? bytes : nil
    }

    /// Writes bytes at an offset: 0, or an errno. Corresponds to pwrite(2), repeated.
    public borrowing func write(_ bytes: ArraySlice<UInt8>, at offset: Int64) -> Int32 {
        bytes.withUnsafeBytes { bytes in
            var done = 0
            while done < bytes.count {
                let count = retrying {
                    pwrite(raw, bytes.baseAddress! + done, bytes.count - done, off_t(offset) + off_t(done))
                }
                guard count > 0 else { return count < 0 ? errno : ENOSPC }
                done += count
            }
            return 0
        }
    }

    /// Another descriptor of the same open file; nil with `errno` set.
    public borrowing func duplicate() -> Descriptor? {
        let copy = fcntl(raw, F_DUPFD_CLOEXEC, 0)
        return copy < 0 ? nil : Descriptor(owning: copy)
    }

    /// Writes all bytes. Corresponds to write(2), repeated.
    public borrowing func write(_ bytes: some Collection<UInt8>) throws(Diagnostic) {
        var rest = Array(bytes)[...]
        while !rest.isEmpty {
            let wrote = rest.withUnsafeBytes { buffer in
                retrying { Glibc.write(raw, buffer.baseAddress, buffer.count) }
            }
            guard wrote >= 0 else { throw .file(name, "cannot be written", errno) }
            rest = rest.dropFirst(wrote)
        }
    }

    /// What it is open at, for whoever reads an error: a number says nothing. A file that is being written to take another's place
    /// goes by the name of the other. Corresponds to readlink(2) of `/proc/self/fd/N`.
    private var name: String {
        let error = errno
        var path = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/proc/self/fd/\(raw)", &path, path.count)
        errno = error
        guard count > 0 else { return "descriptor \(raw)" }
        let found = String(decoding: path.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let draft = ".\(getpid()).new"
        return found.hasSuffix(draft) ? String(found.dropLast(draft.count)) : found
    }

    /// Waits until the bytes are on the disk. Corresponds to fsync(2).
    public borrowing func synchronize() throws(Diagnostic) {
        guard retrying({ fsync(raw) }) == 0 else {
            throw .file(name, "cannot be made durable", errno)
        }
    }
}

/// Repeats a system call that a signal interrupted (EINTR).
@inlinable
public func retrying<Result: FixedWidthInteger>(_ call: () -> Result) -> Result {
    while true {
        let result = call()
        if result == -1, errno == EINTR { continue }
        return result
    }
}

extension Diagnostic {
    /// Whether there was no room for what was to be written.
    private static func isFull(_ error: Int32) -> Bool { error == ENOSPC || error == EDQUOT }

    /// A file operation that the system refused.
    public static func file(_ path: String, _ what: String, _ error: Int32) -> Diagnostic {
        Diagnostic(
            .fileOperation, "\(path) \(what): \(String(cString: strerror(error)))",
            help: isFull(error)
                ? "the disk is full, or your share of it: make room, then do it again; what is kept is as it was before"
                : "check that it exists and that you may use it, then run the command again")
    }
}
