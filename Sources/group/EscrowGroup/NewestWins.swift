internal import EscrowJSON

/// The thesis's synchronisation: of two versions of an object the one that was written later stands, whole. A deletion is a
/// version; it is kept, so that an older update which comes late does not bring the object back.
public struct NewestWins: Synchronisation, Sendable, Equatable, Codable {
    private struct Version: Sendable, Equatable, Codable {
        let stamp: Stamp
        /// Nil when it is deleted.
        let text: String?

        var content: String {
            let members = [(name: "at", value: stamp.json)]
            let json = JSONValue.object(members + (text.map { [("object", .string($0))] } ?? []))
            return String(decoding: JSONWriter.line(json), as: UTF8.self)
        }
    }

    private var clock: HybridClock
    private var versions: [String: Version] = [:]

    public init(member: String) { clock = HybridClock(writer: member) }

    public var objects: [String: String] { versions.compactMapValues(\.text) }

    public mutating func marshall(_ objectId: String, _ object: String, at now: Int64) -> String {
        let stamp = clock.stamp(at: now)
        let version = Version(stamp: stamp, text: object)
        versions[objectId] = version
        return version.content
    }

    public mutating func marshallDeletion(_ objectId: String, at now: Int64) -> String {
        let stamp = clock.stamp(at: now)
        let version = Version(stamp: stamp, text: nil)
        versions[objectId] = version
        return version.content
    }

    public mutating func updateRemote(_ objectId: String, _ content: String) throws(GroupError) {
        try take(objectId, content, isDeletion: false)
    }

    public mutating func deleteRemote(_ objectId: String, _ content: String) throws(GroupError) {
        try take(objectId, content, isDeletion: true)
    }

    private mutating func take(_ id: String, _ content: String, isDeletion: Bool) throws(GroupError) {
        let version: Version
        do throws(any Error) {
            var reader = try JSONObjectReader(JSONParser.parse(content, limits: .init(bytes: 16 << 20)))
            let stamp = try Stamp(reader.required("at"))
            let text = isDeletion ? nil : try reader.required("object").requireString()
            try reader.finish()
            version = Version(stamp: stamp, text: text)
        } catch {
            throw .malformed
        }
        clock.see(version.stamp)
        if versions[id].map({ $0.stamp < version.stamp }) ?? true { versions[id] = version }
    }

    public func version(of objectId: String) -> ObjectVersion? {
        versions[objectId].map { ObjectVersion(isDeleted: $0.text == nil, content: $0.content) }
    }
}
