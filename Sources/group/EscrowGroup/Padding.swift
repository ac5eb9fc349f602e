/// How long a message looks. Short ones, control messages among them, all look alike; of the length of a longer one a server
/// learns the order of magnitude and a few bits (Padmé: Nikitin and others, *Reducing Metadata Leakage from Encrypted Files and
/// Communication with PURBs*, 2019, section 4): at most 12 % are added.
enum Padding {
    /// What every shorter message is filled up to.
    static let least = 1024
    /// A longer message goes as it is: with more it could not be split.
    static let longest = 15 << 20

    /// Fills a message up with spaces, which JSON allows after it.
    static func padded(_ message: [UInt8]) -> [UInt8] {
        let length = length(for: message.count)
        return message + [UInt8](repeating: 0x20, count: length - message.count)
    }

    static func length(for count: Int) -> Int {
        guard count > least else { return least }
        guard count <= longest else { return count }
        let exponent = Int.bitWidth - 1 - count.leadingZeroBitCount
        let digits = Int.bitWidth - exponent.leadingZeroBitCount
        let step = 1 << (exponent - digits)
        return (count + step - 1) / step * step
    }
}
