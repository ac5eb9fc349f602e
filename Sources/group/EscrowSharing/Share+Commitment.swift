internal import Crypto
internal import FoundationEssentials

extension Share {
    /// What a share commits to. Without the salt, k − 1 servers could try messages against the commitment to a share that
    /// they do not have.
    static func commitment(salt: [UInt8], number: UInt8, values: [UInt8]) -> [UInt8] {
        var hash = SHA256()
        hash.update(data: salt)
        hash.update(data: [number])
        hash.update(data: values)
        return Array(hash.finalize())
    }

    /// The digest that is split together with the message.
    static func digest(of message: [UInt8], threshold: Int, shares: Int) -> [UInt8] {
        var hash = SHA256()
        hash.update(data: [UInt8(threshold), UInt8(shares)])
        hash.update(data: message)
        return Array(hash.finalize())
    }

    /// Whether the values are those that were committed to.
    var isWhole: Bool {
        Self.commitment(salt: salt, number: number, values: values) == commitments[Int(number) - 1]
    }
}
