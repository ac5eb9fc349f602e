internal import EscrowDiagnostics
internal import EscrowManifest

/// A look at an executable's own headers: is it what the manifest says, for the machine it says?
enum ExecutableCheck {
    /// Checks an ELF file (System V gABI, chapters 4 and 5): 64 bits, little-endian, an executable of the platform's
    /// machine, with something to load, all of which lies in the file; for static linkage without an interpreter
    /// (PT_INTERP); never with a segment, or a stack, that is both writable and executable. Throws otherwise.
    ///
    /// `image` is the file, or so much of its beginning that ``holdsHeaders(_:)``; `size` is the file's.
    static func check(
        _ image: UnsafeRawBufferPointer, size: Int, _ artifact: Artifact
    ) throws(Diagnostic) {
        guard image.count >= 64, image.prefix(4).elementsEqual([0x7F, 0x45, 0x4C, 0x46]), image[4] == 2,
            image[5] == 1
        else {
            throw refusal(
                artifact, "it is not a 64-bit ELF executable",
                "a script needs \"interpreter\" in its manifest")
        }
        let machine = Int(read(image, 18, 2))
        guard machine == (artifact.platform == .linuxAArch64 ? 183 : 62) else {
            throw refusal(artifact, "it is for another machine than \(artifact.platform.rawValue)", nil)
        }
        // ET_EXEC or ET_DYN: an object file or a core dump has the same header.
        guard [2, 3].contains(read(image, 16, 2)) else {
            throw refusal(artifact, "it is not an executable, but another kind of ELF file", nil)
        }
        let (table, entry, count) = programHeaders(image)
        guard entry == 56, (1...128).contains(count), let end = tableEnd(image), end <= UInt64(image.count)
        else { throw refusal(artifact, "its program headers are damaged", nil) }
        var isLoaded = false
        for index in 0..<count {
            let header = Int(table + index * entry)
            let type = read(image, header, 4)
            let flags = read(image, header + 4, 4)
            if type == 3, artifact.linkage == .static {
                throw refusal(
                    artifact, "it is linked dynamically, and its manifest says static",
                    "Swift: -static-executable; C: -static; Rust: -C target-feature=+crt-static")
            }
            if type == 1, flags & 3 == 3 {
                throw refusal(artifact, "it has memory that is both writable and executable", nil)
            }
            if type == 1 {
                isLoaded = true
                let (end, overflow) = read(image, header + 8, 8).addingReportingOverflow(
                    read(image, header + 32, 8))
                guard !overflow, end <= UInt64(size) else {
                    throw refusal(artifact, "it was cut off: a part to load lies behind its end", nil)
                }
            }
            // PT_GNU_STACK: where its flags say so, the kernel makes the stack executable as well as writable.
            if type == 0x6474_E551, flags & 1 == 1 {
                throw refusal(artifact, "its stack may be executed", "C: -z noexecstack for the linker")
            }
        }
        guard isLoaded else { throw refusal(artifact, "it has nothing to load", nil) }
    }

    /// The same as a value, for bodies that cannot throw a typed error.
    static func result(
        _ image: UnsafeRawBufferPointer, size: Int, _ artifact: Artifact
    ) -> Result<Void, Diagnostic> {
        Result { () throws(Diagnostic) in try check(image, size: size, artifact) }
    }

    /// How much of the beginning of a file is read at first: nearly always its headers lie in it.
    static let beginning = 8_192

    /// Whether the beginning of a file, of at least 64 bytes, holds all that is looked at.
    static func holdsHeaders(_ image: UnsafeRawBufferPointer) -> Bool {
        guard image.count >= 64, let end = tableEnd(image) else { return false }
        return end <= UInt64(image.count)
    }

    /// Where the program headers begin, the size of one, how many there are: as the file says.
    private static func programHeaders(
        _ image: UnsafeRawBufferPointer
    ) -> (table: UInt64, entry: UInt64, count: UInt64) {
        (read(image, 32, 8), read(image, 54, 2), read(image, 56, 2))
    }

    /// Where they end; nil beyond 2^64.
    private static func tableEnd(_ image: UnsafeRawBufferPointer) -> UInt64? {
        let (table, entry, count) = programHeaders(image)
        // Both factors are below 2^16.
        let (end, overflow) = table.addingReportingOverflow(entry * count)
        return overflow ? nil : end
    }

    /// A little-endian number; the caller has checked that it lies within the image.
    private static func read(_ image: UnsafeRawBufferPointer, _ offset: Int, _ width: Int) -> UInt64 {
        var value: UInt64 = 0
        for index in 0..<width { value |= UInt64(image[offset + index]) << UInt64(8 * index) }
        return value
    }

    private static func refusal(_ artifact: Artifact, _ what: String, _ help: String?) -> Diagnostic {
        Diagnostic(.executableUnfit, "\(artifact.path) cannot be run here: \(what)", help: help)
    }
}
