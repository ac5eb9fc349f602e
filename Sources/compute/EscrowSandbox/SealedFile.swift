import CEscrowLauncher
public import EscrowDiagnostics
import EscrowFiles
import Glibc

/// Bytes in anonymous memory whose size and content can never change again: what is hashed is what runs.
public struct SealedFile: ~Copyable, Sendable {
    /// The memfd; it closes on exec, and with the owner.
    public let fd: Int32

    /// Copies bytes into a new sealed file.
    public init(copying bytes: UnsafeRawBufferPointer) throws(Diagnostic) {
        let number = MemoryFile.make("plugin")
        guard number >= 0 else { throw Self.failed(-number) }
        let file = Descriptor(owning: number)
        var written = 0
        while written < bytes.count {
            let rest = UnsafeRawBufferPointer(rebasing: bytes[written...])
            let count = Glibc.write(file.raw, rest.baseAddress, rest.count)
            guard count > 0 else { throw Self.failed(errno) }
            written += count
        }
        // Execute only, for anybody: the process is then not dumpable (no core, no ptrace by its own uid, and its
        // /proc files are root's).
        let error = MemoryFile.seal(file, mode: 0o111)
        guard error == 0 else { throw Self.failed(error) }
        fd = file.release()
    }

    public init(_ bytes: [UInt8]) throws(Diagnostic) {
        let result = bytes.withUnsafeBytes { buffer in
            Result { () throws(Diagnostic) in try SealedFile(copying: buffer).release() }
        }
        fd = try result.get()
    }

    deinit { _ = close(fd) }

    public consuming func release() -> Int32 {
        let number = fd
        discard self
        return number
    }

    private static func failed(_ error: Int32) -> Diagnostic {
        Diagnostic(.noSealedFile, "no sealed file could be made: \(errnoSentence(error))")
    }

    /// Throws for a descriptor that is not sealed.
    static func check(_ descriptor: Int32, _ what: String) throws(Diagnostic) {
        guard MemoryFile.isSealed(descriptor) else {
            throw Diagnostic(
                .programNotSealed,
                "\(what) is not in a sealed file, so it could change after it was verified",
                help: "copy it into a memfd and add the seals SHRINK, GROW and WRITE first")
        }
    }
}
