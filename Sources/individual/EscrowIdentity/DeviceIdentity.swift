internal import Crypto
public import EscrowDiagnostics
internal import EscrowFiles
internal import EscrowJSON
internal import FoundationEssentials
internal import Glibc

/// Which machine this is: shows after a restore whether a home is still on its machine.
///
/// `/etc/machine-id` is read and never stored, shown or sent: a home keeps a keyed fingerprint of it, which says only "the
/// same" or "another". A machine without that file gets a random number, kept outside every home.
public struct DeviceIdentity: Sendable {
    private let secret: [UInt8]

    /// Stands for a machine; for tests, and for a restore that shall count as one to another device.
    public init(secret: [UInt8]) { self.secret = secret }

    /// A machine that no home has been on.
    public static func unknown() -> DeviceIdentity { DeviceIdentity(secret: RandomBytes.make(32)) }

    public static func current() throws(Diagnostic) -> DeviceIdentity {
        for path in ["/etc/machine-id", "/var/lib/dbus/machine-id"] {
            guard let bytes = try? SecureFile.readIfPresent(path, limit: 256) else { continue }
            let digits = bytes.prefix { $0 != 0x0A }
            // systemd leaves "uninitialized" there in images that were never started.
            if digits.count == 32, digits.allSatisfy(Self.isHexDigit) {
                return DeviceIdentity(secret: Array(digits))
            }
        }
        return try ownNumber()
    }

    private static func isHexDigit(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte)
    }

    private static func ownNumber() throws(Diagnostic) -> DeviceIdentity {
        func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
        let states =
            variable("XDG_STATE_HOME").flatMap { $0.hasPrefix("/") ? $0 : nil }
            ?? variable("HOME").map { $0 + "/.local/state" }
        guard let states else {
            throw Diagnostic(
                .noMachineNumber,
                "this machine has no number of its own, and there is no HOME to keep one in",
                help: "set HOME or XDG_STATE_HOME, or make /etc/machine-id with systemd-machine-id-setup")
        }
        let folder = states + "/escrow"
        try SecureFile.makeFolder(folder)
        let lock = try FileLock.acquire(folder + "/device.lock")
        defer { withExtendedLifetime(lock) {} }
        if let bytes = try SecureFile.readIfPresent(folder + "/device", limit: 64), bytes.count == 32 {
            return DeviceIdentity(secret: bytes)
        }
        let fresh = RandomBytes.make(32)
        try SecureFile.replace(folder + "/device", with: fresh)
        return DeviceIdentity(secret: fresh)
    }

    /// The machine as a home knows it: 64 hexadecimal digits that nobody can turn back, others in every home.
    func fingerprint(salt: [UInt8]) -> String {
        var hash = HMAC<SHA256>(key: SymmetricKey(data: secret))
        hash.update(data: Array("escrow device 1".utf8))
        hash.update(data: salt)
        return Hex.string(hash.finalize())
    }
}

enum RandomBytes {
    static func make(_ count: Int) -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
    }
}
