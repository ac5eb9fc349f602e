internal import EscrowDiagnostics

/// The container of a package: a strict subset of ustar (POSIX.1-2017, pax(1)), which stock `tar` lists and unpacks.
///
/// Regular files only, ASCII names of at most 100 bytes, fixed owner, mode and time, no padding after the two zero blocks
/// at the end: one sequence of bytes for one set of files, so that packing twice gives the same package.
enum Archive {
    static let block = 512
    static let maximumBytes = 288 << 20

    struct Header: Equatable {
        let name: String
        let size: Int
    }

    static func header(_ name: String, size: Int, executable: Bool) -> [UInt8] {
        var block = [UInt8](repeating: 0, count: 512)
        func put(_ text: String, at offset: Int) {
            for (index, byte) in text.utf8.enumerated() { block[offset + index] = byte }
        }
        put(name, at: 0)
        put(executable ? "0000755" : "0000644", at: 100)
        put("0000000", at: 108)
        put("0000000", at: 116)
        put(octal(size, 11), at: 124)
        put("00000000000", at: 136)
        put("        ", at: 148)
        put("0", at: 156)
        put("ustar", at: 257)
        put("00", at: 263)
        put("0000000", at: 329)
        put("0000000", at: 337)
        let sum = block.reduce(0) { $0 + Int($1) }
        put(octal(sum, 6), at: 148)
        block[154] = 0
        return block
    }

    /// How many zero bytes follow a content of that size.
    static func padding(_ size: Int) -> Int { (block - size % block) % block }

    /// Reads a header block; nil for the zero block that begins the end. Throws for anything that ``header(_:size:executable:)``
    /// would not write: a link, a device, a folder, another owner or time, another checksum, a name that is not plain.
    static func read(_ bytes: [UInt8], executable: (String) -> Bool) throws(Diagnostic) -> Header? {
        guard bytes.count == block else { throw damaged("it ends within a header") }
        if bytes.allSatisfy({ $0 == 0 }) { return nil }
        let raw = bytes[0..<100].prefix { $0 != 0 }
        let isPlain = raw.allSatisfy { byte in
            (0x61...0x7A).contains(byte) || (0x41...0x5A).contains(byte) || (0x30...0x39).contains(byte)
                || byte == 0x2E || byte == 0x2F || byte == 0x2D || byte == 0x5F
        }
        let name = String(decoding: raw, as: UTF8.self)
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        guard isPlain, !parts.contains(where: { $0.isEmpty || $0.first == "." }) else {
            throw damaged("a file in it has a name that is not allowed")
        }
        var size = 0
        for byte in bytes[124..<135] {
            guard (0x30...0x37).contains(byte) else { throw damaged("a size in it is not a number") }
            size = size << 3 | Int(byte & 7)
        }
        guard size <= maximumBytes else { throw damaged("a file in it is too large") }
        // Whatever else a header can say (links, devices, owners, times, prefixes) is refused by this one comparison.
        guard header(name, size: size, executable: executable(name)) == bytes else {
            throw damaged("the header of a file in it is not of the plain form")
        }
        return Header(name: name, size: size)
    }

    private static func octal(_ value: Int, _ width: Int) -> String {
        let digits = String(value, radix: 8)
        return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }

    static func damaged(_ what: String) -> Diagnostic {
        Diagnostic(.packageDamaged, "the package is damaged: \(what)", help: "fetch the package again")
    }
}
