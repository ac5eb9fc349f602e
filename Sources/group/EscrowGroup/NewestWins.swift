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
        let stamp = clock.stamp(at: now, among: versions.values.lazy.map(\.stamp))
        let version = Version(stamp: stamp, text: object)
        versions[objectId] = version
        return version.content
    }

    public mutating func marshallDeletion(_ objectId: String, at now: Int64) -> String {
        let stamp = clock.stamp(at: now, among: versions.values.lazy.map(\.stamp))
        let version = Version(stamp: stamp, text: nil)
        versions[objectId] = version
        return version.content
    }

    public mutating func updateRemote(_ objectId: String, _ content: String, at now: Int64? = nil)
        throws(GroupError)
    {
        try take(objectId, content, isDeletion: false, at: now)
    }

    public mutating func deleteRemote(_ objectId: String, _ content: String, at now: Int64? = nil)
        throws(GroupError)
    {
        try take(objectId, content, isDeletion: true, at: now)
    }

    private mutating func take(_ id: String, _ content: String, isDeletion: Bool, at now: Int64?)
        throws(GroupError)
    {
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
        if let now { try version.stamp.check(at: now) }
        clock.see(version.stamp)
        let isNewer = versions[id].map { kept in
            // What an earlier version took, or a wrong clock wrote, does not stand for ever.
            kept.stamp < version.stamp || now.map { !kept.stamp.isNear($0) } ?? false
        }
        if isNewer ?? true { versions[id] = version }
    }

    public func writer(of objectId: String) -> String? { versions[objectId]?.stamp.writer }

    public func version(of objectId: String) -> ObjectVersion? {
        versions[objectId].map { ObjectVersion(isDeleted: $0.text == nil, content: $0.content) }
    }
}
