/// What of a packet of PulseAudio's native protocol passes: all its values, but for properties that nobody needs for playing and
/// recording.
///
/// Properties can load code. With `filter.apply` (or `filter.want`) set to `ladspa-sink`, and `filter.apply.ladspa-sink.parameters` to
/// `plugin=FILE`, PulseAudio's module-filter-apply, which is loaded by default, loads that file as a library; a stream has its client's
/// properties as well. In pipewire-pulse they become those of a node, `audioconvert.filter-graph` among them. So a list says which pass.
///
/// Servers keep volumes by them, too (module-stream-restore): by the role, else by the id, else by the name of the application. And a
/// role stops what others play (module-role-cork). So no role passes, and who plays is what the escrow knows.
struct SoundTags {
    private static let shown: Set<String> = [
        "application.icon_name", "application.version", "event.description", "media.artist",
        "media.icon_name", "media.name", "media.software", "media.title",
    ]
    private static let formats: Set<String> = [
        "format.channel_map", "format.channels", "format.rate", "format.sample_format",
    ]

    /// What the properties of an app's end with.
    private let own: [UInt8]

    /// For the app of an id.
    init(app: String) {
        own = ["application.id", "application.name"].flatMap { Self.property($0, "escrow:" + app) }
    }

    /// What of a packet passes.
    func passing(_ packet: [UInt8]) throws(SoundFault) -> [UInt8] {
        var walk = SoundWalk(packet, shown: Self.shown, formats: Self.formats, own: own)
        return try walk.all()
    }

    /// A name, the length of its value, and the value behind its length.
    private static func property(_ name: String, _ value: String) -> [UInt8] {
        let value = Array(value.utf8) + [0]
        let length = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value.count >> $0) }
        let head = [UInt8(ascii: "t")] + Array(name.utf8) + [0]
        return head + [UInt8(ascii: "L")] + length + [UInt8(ascii: "x")] + length + value
    }
}
