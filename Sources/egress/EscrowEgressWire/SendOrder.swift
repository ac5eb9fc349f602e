public import EscrowEgress
public import EscrowJSON

/// What the host tells `escrow-egress` to send: one line, then the bytes of the request.
public struct SendOrder: Sendable, Equatable {
    public let destination: Destination
    public let limits: ExchangeLimits
    /// Bytes of the request as far as they are known beforehand.
    public let bytes: Int
    /// Bytes that follow them, and are passed on as they come.
    public let streamed: Int
    /// For mail: to whom, and in whose name.
    public let mail: Mail?

    /// What handing in mail needs beside the message.
    public struct Mail: Sendable, Equatable {
        public let recipient: String
        public let sender: String
        public let login: MailLogin

        public init(recipient: String, sender: String, login: MailLogin) {
            self.recipient = recipient
            self.sender = sender
            self.login = login
        }
    }

    /// The longest line: a host name, some pins.
    public static let longestLine = 1 << 16
    /// The most bytes of one request: what a manifest may allow for a run, and room for its head.
    public static let mostBytes = 65 << 20
    /// The most bytes of a file and what ends the body after it.
    public static let mostStreamed = 5 << 30

    public init(
        destination: Destination, limits: ExchangeLimits, bytes: Int, streamed: Int = 0,
        mail: Mail? = nil
    ) {
        self.destination = destination
        self.limits = limits
        self.bytes = bytes
        self.streamed = streamed
        self.mail = mail
    }

    public var line: JSONValue {
        var members: [(name: String, value: JSONValue)] = fixed.members ?? []
        if let mail {
            members += [
                ("recipient", .string(mail.recipient)), ("sender", .string(mail.sender)),
                ("user", .string(mail.login.user)), ("password", .string(mail.login.password)),
            ]
        }
        return .object(members)
    }

    private var fixed: JSONValue {
        [
            "host": .string(destination.host), "address": .string("\(destination.address)"),
            "port": .integer(Int64(destination.port)), "plain": .bool(destination.isPlain),
            "standIn": .bool(destination.isStandIn),
            "pins": .array(destination.pins.map { .string(Base64.encode($0)) }),
            "mediaType": .string(limits.mediaType), "maxBytes": .integer(Int64(limits.maxBytes)),
            "unlinkable": .bool(limits.isUnlinkable), "connect": .real(limits.patience.connect),
            "read": .real(limits.patience.read), "whole": .real(limits.patience.whole),
            "bytes": .integer(Int64(bytes)), "streamed": .integer(Int64(streamed)),
        ]
    }

    public init(line: [UInt8]) throws(WireFault) {
        var members = try Members(line)
        guard let address = IPAddress(try members.string("address")) else { throw .wrong }
        var pins: [[UInt8]] = []
        for pin in try members.array("pins") {
            guard let text = pin.string, let bytes = Base64.decode(text), bytes.count == 32 else {
                throw .wrong
            }
            pins.append(bytes)
        }
        var mail: Mail?
        if members.has("recipient") {
            mail = Mail(
                recipient: try members.string("recipient"), sender: try members.string("sender"),
                login: MailLogin(
                    user: try members.string("user"), password: try members.string("password")))
        }
        self.mail = mail
        destination = Destination(
            host: try members.string("host"), address: address,
            port: try members.integer("port", in: 1...65535), isPlain: try members.bool("plain"),
            isStandIn: try members.bool("standIn"), pins: pins, isMail: mail != nil)
        limits = ExchangeLimits(
            mediaType: try members.string("mediaType"),
            maxBytes: try members.integer("maxBytes", in: 1...(1 << 30)),
            isUnlinkable: try members.bool("unlinkable"),
            patience: Patience(
                connect: try members.seconds("connect"), read: try members.seconds("read"),
                whole: try members.seconds("whole")))
        bytes = try members.integer("bytes", in: 1...Self.mostBytes)
        streamed = try members.integer("streamed", in: 0...Self.mostStreamed)
        try members.finish()
    }
}
