/// Bytes as words of eight, the last one filled up with zeros.
enum Words {
    static func of(_ bytes: some Collection<UInt8>) -> [UInt64] {
        var words = [UInt64](repeating: 0, count: (bytes.count + 7) / 8)
        words.withUnsafeMutableBytes { $0.copyBytes(from: bytes) }
        return words
    }

    static func bytes(of words: [UInt64], count: Int) -> [UInt8] {
        words.withUnsafeBytes { Array($0.prefix(count)) }
    }
}
