import Glibc

/// One question to NetworkManager over the system's D-Bus: is the network paid by volume?
///
/// The few messages that it takes are written here (D-Bus Specification 0.42): no process is started, no library loaded, and
/// nothing is believed of the answer but one number. Whatever goes wrong, the answer is "not known".
struct NetworkManager {
    private let path: String
    /// How long one read or write may take, in milliseconds.
    private let patienceMs: Int

    /// The most bytes of a message that are read.
    private static let maximumMessage = 1 << 16

    /// Names the bus's socket, and how long one read or write may take, in milliseconds.
    init(socket path: String, patienceMs: Int) {
        self.path = path
        self.patienceMs = patienceMs
    }

    /// Whether it is metered, known or guessed; nil where nobody knows.
    func metered() -> Bool? {
        let bus = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard bus >= 0 else { return nil }
        defer { close(bus) }
        var limit = timeval(tv_sec: patienceMs / 1_000, tv_usec: patienceMs % 1_000 * 1_000)
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            setsockopt(bus, SOL_SOCKET, option, &limit, socklen_t(MemoryLayout<timeval>.size))
        }
        guard Self.connect(bus, path), authenticate(bus) else { return nil }
        let hello = BusMessage(
            serial: 1, destination: "org.freedesktop.DBus", path: "/org/freedesktop/DBus",
            interface: "org.freedesktop.DBus", member: "Hello")
        let question = BusMessage(
            serial: 2, destination: "org.freedesktop.NetworkManager", path: "/org/freedesktop/NetworkManager",
            interface: "org.freedesktop.DBus.Properties", member: "Get",
            arguments: ["org.freedesktop.NetworkManager", "Metered"])
        guard Self.write(bus, hello.bytes + question.bytes) else { return nil }
        // Signals of the bus come in between.
        for _ in 0..<32 {
            guard let reply = receive(bus) else { return nil }
            guard reply.replyTo == 2 else { continue }
            switch reply.number {
            case 1, 3: return true
            case 2, 4: return false
            default: return nil
            }
        }
        return nil
    }

    /// SASL EXTERNAL: the kernel tells the bus who we are, the name is only repeated.
    private func authenticate(_ bus: Int32) -> Bool {
        let hexadecimal = String(getuid()).utf8.map { String($0, radix: 16) }.joined()
        guard Self.write(bus, [0] + Array("AUTH EXTERNAL \(hexadecimal)\r\n".utf8)) else { return false }
        var line: [UInt8] = []
        while line.last != 0x0A {
            guard line.count < 256, let byte = Self.read(bus, 1) else { return false }
            line += byte
        }
        return line.starts(with: "OK ".utf8) && Self.write(bus, Array("BEGIN\r\n".utf8))
    }

    private func receive(_ bus: Int32) -> BusReply? {
        guard let head = Self.read(bus, 16), head[0] == UInt8(ascii: "l"), head[3] == 1 else { return nil }
        func number(_ offset: Int) -> Int {
            (0..<4).reduce(0) { $0 | Int(head[offset + $1]) << (8 * $1) }
        }
        let (body, fields) = (number(4), number(12))
        guard body <= Self.maximumMessage, fields <= Self.maximumMessage,
            let rest = Self.read(bus, (fields + 7) / 8 * 8 + body)
        else { return nil }
        return BusReply(kind: head[1], fields: Array(rest.prefix(fields)), body: Array(rest.suffix(body)))
    }

    private static func connect(_ bus: Int32, _ path: String) -> Bool {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else { return false }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(bus, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
    }

    private static func write(_ bus: Int32, _ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                send(bus, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    private static func read(_ bus: Int32, _ count: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            let got = bytes.withUnsafeMutableBytes {
                Glibc.read(bus, $0.baseAddress.map { $0 + filled }, count - filled)
            }
            if got < 0, errno == EINTR { continue }
            guard got > 0 else { return nil }
            filled += got
        }
        return bytes
    }
}

/// A method call, little-endian, whose arguments are strings.
struct BusMessage {
    let bytes: [UInt8]

    init(
        serial: UInt32, destination: String, path: String, interface: String, member: String,
        arguments: [String] = []
    ) {
        var body: [UInt8] = []
        for argument in arguments { Self.append(string: argument, to: &body) }
        var fields: [UInt8] = []
        for (code, type, value) in [
            (1, "o", path), (2, "s", interface), (3, "s", member), (6, "s", destination),
        ] {
            Self.pad(&fields, to: 8)
            fields += [UInt8(code), 1] + Array(type.utf8) + [0]
            Self.append(string: value, to: &fields)
        }
        if !arguments.isEmpty {
            Self.pad(&fields, to: 8)
            let signature = Array(String(repeating: "s", count: arguments.count).utf8)
            fields += [8, 1, UInt8(ascii: "g"), 0, UInt8(signature.count)] + signature + [0]
        }
        // Call; nothing is started for the sake of it (0x2); version 1.
        var message: [UInt8] = [UInt8(ascii: "l"), 1, 2, 1]
        for number in [UInt32(body.count), serial, UInt32(fields.count)] {
            Self.append(number, to: &message)
        }
        message += fields
        Self.pad(&message, to: 8)
        bytes = message + body
    }

    private static func append(_ number: UInt32, to bytes: inout [UInt8]) {
        bytes += (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }

    private static func append(string: String, to bytes: inout [UInt8]) {
        pad(&bytes, to: 4)
        append(UInt32(string.utf8.count), to: &bytes)
        bytes += Array(string.utf8) + [0]
    }

    private static func pad(_ bytes: inout [UInt8], to boundary: Int) {
        while bytes.count % boundary != 0 { bytes.append(0) }
    }
}

/// What matters of an answer: to which call, and the number in it.
struct BusReply {
    /// The serial of the call; nil for a signal, and for what is not understood.
    private(set) var replyTo: Int?
    /// The unsigned number of a variant; nil for an error and for anything else.
    private(set) var number: Int?

    init(kind: UInt8, fields: [UInt8], body: [UInt8]) {
        var place = 0
        func byte() -> Int? {
            defer { place += 1 }
            return place < fields.count ? Int(fields[place]) : nil
        }
        func word() -> Int? {
            place = (place + 3) / 4 * 4
            guard place + 4 <= fields.count else { return nil }
            defer { place += 4 }
            return (0..<4).reduce(0) { $0 | Int(fields[place + $1]) << (8 * $1) }
        }
        while true {
            place = (place + 7) / 8 * 8
            guard place < fields.count else { break }
            guard let code = byte(), byte() == 1, let type = byte(), byte() == 0 else { return }
            switch UInt8(type) {
            case UInt8(ascii: "u"):
                guard let value = word() else { return }
                if code == 5 { replyTo = value }
            case UInt8(ascii: "s"), UInt8(ascii: "o"):
                guard let length = word(), length < fields.count else { return }
                place += length + 1
            case UInt8(ascii: "g"):
                guard let length = byte() else { return }
                place += length + 1
            default: return
            }
        }
        // A method return whose body is a variant with a number: signature "u", padding, four bytes.
        guard kind == 2, body.count == 8, Array(body.prefix(3)) == [1, UInt8(ascii: "u"), 0] else { return }
        number = (0..<4).reduce(0) { $0 | Int(body[4 + $1]) << (8 * $1) }
    }
}
