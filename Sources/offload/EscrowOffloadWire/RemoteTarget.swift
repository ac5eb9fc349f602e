public import EscrowJSON

/// Whom `escrow-remote` is to reach, and by which keys.
public struct RemoteTarget: Sendable, Equatable {
    /// An IP address, or a name.
    public var host: String
    public var port: Int
    /// The authority's certificate, PEM.
    public var authority: String
    /// SHA-256 of the server's public key, hexadecimal.
    public var pin: String
    /// This device's certificate and key, PEM.
    public var certificate: String
    public var key: String

    public init(host: String, port: Int, authority: String, pin: String, certificate: String, key: String) {
        self.host = host
        self.port = port
        self.authority = authority
        self.pin = pin
        self.certificate = certificate
        self.key = key
    }

    public var json: JSONValue {
        [
            "host": .string(host), "port": .integer(Int64(port)), "authority": .string(authority),
            "pin": .string(pin), "certificate": .string(certificate), "key": .string(key),
        ]
    }

    public init(_ node: JSONNode) throws(JSONError) {
        var object = try JSONObjectReader(node)
        self = try Self(&object)
        try object.finish()
    }

    /// Reads the members out of an object that has more.
    public init(_ object: inout JSONObjectReader) throws(JSONError) {
        let port = try object.required("port")
        host = try object.required("host").requireString()
        guard let number = Int(exactly: try port.requireInteger()), 1...65_535 ~= number else {
            throw JSONError(.wrongType(expected: "a port, 1 to 65535"), at: port.position)
        }
        self.port = number
        authority = try object.required("authority").requireString()
        pin = try object.required("pin").requireString()
        certificate = try object.required("certificate").requireString()
        key = try object.required("key").requireString()
    }
}
