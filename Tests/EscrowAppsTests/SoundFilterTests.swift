import Testing

@testable import EscrowApps

/// What a confined program can say to a sound server: nothing but what playing and recording need.
@Suite struct SoundFilterTests {
    private static let noAccess: UInt32 = 1

    private static func request(_ command: UInt32, _ tag: UInt32, _ rest: [UInt8] = []) -> [UInt8] {
        SoundFrame(packet: SoundFrame(numbers: [command, tag]).content + rest).bytes
    }

    private static func request(_ command: SoundCommand, _ tag: UInt32, _ rest: [UInt8] = []) -> [UInt8] {
        request(command.rawValue, tag, rest)
    }

    private static func number(_ number: UInt32) -> [UInt8] { SoundFrame(numbers: [number]).content }

    private static func authentication(_ tag: UInt32 = 0, version: UInt32 = 0xC000_0023) -> [UInt8] {
        let cookie = [UInt8](repeating: 7, count: 256)
        return request(.authenticate, tag, number(version) + [UInt8(ascii: "x"), 0, 0, 1, 0] + cookie)
    }

    private static func answer(_ numbers: UInt32...) -> [UInt8] { SoundFrame(numbers: numbers).bytes }

    private static func sound(_ bytes: [UInt8], flags: UInt32 = 0) -> [UInt8] {
        [0, 0, 0, UInt8(bytes.count), 0, 0, 0, 0] + [UInt8](repeating: 0, count: 8)
            + [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: flags >> $0) } + bytes
    }

    private static func properties(_ all: [(String, String)]) -> [UInt8] {
        var bytes = [UInt8(ascii: "P")]
        for (name, value) in all {
            let value = Array(value.utf8) + [0]
            bytes += [UInt8(ascii: "t")] + Array(name.utf8) + [0] + number(UInt32(value.count))
            bytes += [UInt8(ascii: "x")] + number(UInt32(value.count)).dropFirst() + value
        }
        return bytes + [UInt8(ascii: "N")]
    }

    /// What the escrow says of who plays.
    private static let own = [
        ("application.id", "escrow:org.example.player"), ("application.name", "escrow:org.example.player"),
    ]

    /// One that was let in.
    private static func ready() throws -> SoundFilter {
        var filter = SoundFilter(app: "org.example.player")
        _ = try filter.fromClient(authentication()[...])
        _ = try filter.fromServer(answer(2, 0, 0xC000_0023)[...])
        return filter
    }

    /// One with a stream that plays, channel 3, known to everybody as 42.
    private static func playing() throws -> SoundFilter {
        var filter = try ready()
        _ = try filter.fromClient(request(.createPlayback, 1)[...])
        _ = try filter.fromServer(answer(2, 1, 3, 42, 0)[...])
        return filter
    }

    @Test func noSideHearsOfSharedMemory() throws {
        var filter = SoundFilter(app: "org.example.player")
        #expect(try filter.fromClient(Self.authentication()[...]) == Self.authentication(version: 0x23))
        #expect(try filter.fromServer(Self.answer(2, 0, 0xC000_0023)[...]) == Self.answer(2, 0, 0x23))
        // Only that answer has a version.
        _ = try filter.fromClient(Self.request(.statistics, 1)[...])
        let other = Self.answer(2, 1, 0xC000_0023)
        #expect(try filter.fromServer(other[...]) == other)
    }

    @Test func ofAllCommandsThoseOfTheListPass() throws {
        let others: Set<SoundCommand> = [
            .authenticate, .playbackInfo, .recordInfo, .setPlaybackVolume, .setPlaybackMute, .setRecordVolume,
            .setRecordMute,
        ]
        let passing = Set(SoundCommand.allCases).subtracting(others).map(\.rawValue)
        for command in UInt32(0)...255 {
            var filter = try Self.ready()
            let request = Self.request(command, 9, Self.number(5))
            let isListed = passing.contains(command)
            #expect(try filter.fromClient(request[...]) == (isListed ? request : []), "\(command)")
            let refusal = Self.answer(0, 9, Self.noAccess)
            #expect(filter.takeRefusals() == (isListed ? [] : refusal), "\(command)")
        }
        // The above follows the list. What loads code, ends programs or is about others, by hand:
        for command: UInt32 in [
            7, 15, 16, 17, 18, 19, 25, 26, 27, 28, 30, 32, 33, 34, 36, 38, 39, 40, 44, 45, 48, 49, 50, 51, 52,
            67, 68, 70, 71, 83, 84, 85, 87, 88, 89, 90, 96, 97, 100, 101, 102, 103, 104,
        ] { #expect(!passing.contains(command), "\(command)") }
        for command: UInt32 in [3, 4, 5, 6, 9, 12, 14, 20, 35, 41, 72, 82] {
            #expect(passing.contains(command), "\(command)")
        }
    }

    @Test func ofStreamsOnlyItsOwnCanBeNamed() throws {
        for command: SoundCommand in [.playbackInfo, .setPlaybackVolume, .setPlaybackMute] {
            var filter = try Self.playing()
            let own = Self.request(command, 2, Self.number(42))
            #expect(try filter.fromClient(own[...]) == own)
            for other: UInt32 in [3, 41, 43] {
                #expect(try filter.fromClient(Self.request(command, other, Self.number(other))[...]).isEmpty)
                #expect(filter.takeRefusals() == Self.answer(0, other, Self.noAccess))
            }
            _ = try filter.fromClient(Self.request(.deletePlayback, 50, Self.number(3))[...])
            #expect(try filter.fromClient(Self.request(command, 51, Self.number(42))[...]).isEmpty)
        }
        for command: SoundCommand in [.recordInfo, .setRecordVolume, .setRecordMute] {
            var filter = try Self.playing()
            #expect(try filter.fromClient(Self.request(command, 2, Self.number(42))[...]).isEmpty)
            _ = try filter.fromClient(Self.request(.createRecord, 3)[...])
            _ = try filter.fromServer(Self.answer(2, 3, 3, 44)[...])
            let own = Self.request(command, 4, Self.number(44))
            #expect(try filter.fromClient(own[...]) == own)
            _ = try filter.fromServer(Self.answer(65, .max, 3)[...])
            #expect(try filter.fromClient(Self.request(command, 5, Self.number(44))[...]).isEmpty)
        }
        // One that the server refused is none.
        var filter = try Self.ready()
        _ = try filter.fromClient(Self.request(.createPlayback, 1)[...])
        _ = try filter.fromServer(Self.answer(0, 1, 5)[...])
        #expect(try filter.fromClient(Self.request(.playbackInfo, 2, Self.number(42))[...]).isEmpty)
    }

    @Test func propertiesThatLoadCodeAreLeftOut() throws {
        let evil = [
            ("filter.apply", "ladspa-sink"), ("filter.apply.ladspa-sink.parameters", "plugin=/tmp/evil.so"),
            ("filter.want", "ladspa-sink"), ("audioconvert.filter-graph", "{}"),
            ("media.class", "Audio/Sink"),
        ]
        let good = [("media.name", "a song"), ("application.version", "1")]
        let mixed = [good[0]] + evil + [good[1]]
        for command: SoundCommand in [
            .createPlayback, .createRecord, .setClientName, .updateClientProperties,
            .updatePlaybackProperties, .updateRecordProperties,
        ] {
            var filter = try Self.ready()
            let before = Self.number(1) + [UInt8(ascii: "1"), UInt8(ascii: "N")]
            #expect(
                try filter.fromClient(Self.request(command, 1, before + Self.properties(mixed))[...])
                    == Self.request(command, 1, before + Self.properties(good + Self.own)))
        }
        // Those of a format have a list of their own.
        var filter = try Self.ready()
        let format = [UInt8(ascii: "f"), UInt8(ascii: "B"), 1]
        let rate = [("format.rate", "48000")]
        #expect(
            try filter.fromClient(
                Self.request(.createPlayback, 1, format + Self.properties(rate + mixed))[...])
                == Self.request(.createPlayback, 1, format + Self.properties(rate)))
    }

    /// Servers keep volumes by role, id and name, and a role stops what others play.
    @Test func whoPlaysIsWhatTheEscrowKnows() throws {
        let forged = [
            ("media.role", "phone"), ("application.id", "org.example.other"), ("event.id", "bell"),
            ("application.name", "Other"), ("module-stream-restore.id", "sink-input-by-media-role:music"),
        ]
        for command: SoundCommand in [
            .createPlayback, .createRecord, .setClientName, .updateClientProperties,
            .updatePlaybackProperties, .updateRecordProperties,
        ] {
            for properties in [forged, []] {
                var filter = try Self.ready()
                #expect(
                    try filter.fromClient(Self.request(command, 1, Self.properties(properties))[...])
                        == Self.request(command, 1, Self.properties(Self.own)))
            }
        }
        // Nor can what it is known by be taken away.
        for command: UInt32 in [83, 84, 85] {
            var filter = try Self.ready()
            let name = [UInt8(ascii: "t")] + Array("application.id".utf8) + [0]
            #expect(try filter.fromClient(Self.request(command, 1, name)[...]).isEmpty)
            #expect(filter.takeRefusals() == Self.answer(0, 1, Self.noAccess))
        }
        // Before that version streams have no properties.
        var filter = SoundFilter(app: "org.example.player")
        let old = Self.authentication(version: 12)
        #expect(throws: SoundFault.self) { try filter.fromClient(old[...]) }
    }

    @Test func piecesChangeNothing() throws {
        let all =
            Self.authentication() + Self.request(.setClientName, 1, Self.properties([("filter.want", "x")]))
            + Self.request(51, 2) + Self.sound([1, 2, 3]) + Self.request(.statistics, 3)
        var whole = SoundFilter(app: "org.example.player")
        let passed = try whole.fromClient(all[...])
        let refused = whole.takeRefusals()
        #expect(refused == Self.answer(0, 2, Self.noAccess))
        for cut in 0...all.count {
            var filter = SoundFilter(app: "org.example.player")
            #expect(try filter.fromClient(all[..<cut]) + filter.fromClient(all[cut...]) == passed, "\(cut)")
            #expect(filter.takeRefusals() == refused)
        }
        var filter = SoundFilter(app: "org.example.player")
        #expect(try all.indices.flatMap { try filter.fromClient(all[$0...$0]) } == passed)
    }

    @Test func aRefusalStandsBetweenTwoFramesOfTheServers() throws {
        var filter = try Self.ready()
        let sound = Self.sound([1, 2, 3, 4])
        #expect(try filter.fromServer(sound[..<22]) == Array(sound[..<22]))
        _ = try filter.fromClient(Self.request(51, 1)[...])
        #expect(filter.takeRefusals().isEmpty)
        #expect(try filter.fromServer(sound[22...]) == Array(sound[22...]))
        #expect(filter.takeRefusals() == Self.answer(0, 1, Self.noAccess))
        #expect(filter.takeRefusals().isEmpty)
    }

    @Test func whatCannotBeReadEndsTheConnection() throws {
        let long = Self.request(.setClientName, 1, [UInt8](repeating: UInt8(ascii: "1"), count: 65_536))
        let tooLong: [UInt8] = [1, 0, 0, 1] + [UInt8](repeating: 0, count: 16)
        for bytes in [
            // Lengths, shared memory, a way to seek that there is not.
            long, tooLong, Self.sound([]), Self.sound([1], flags: 0x8000_0000),
            Self.sound([1], flags: 0x4000_0000), Self.sound([1], flags: 0xC000_0000),
            Self.sound([1], flags: 0x2000_0000), Self.sound([1], flags: 4),
            // Packets that are none.
            SoundFrame(packet: [1]).bytes, SoundFrame(numbers: [9]).bytes,
            Self.request(.setClientName, 1, [UInt8(ascii: "q")]),
            Self.request(.setClientName, 1, Array("tx".utf8)),
            Self.request(.setClientName, 1, Array("L".utf8)),
            Self.request(.setClientName, 1, Array("P".utf8)),
            Self.request(.setClientName, 1, Array("PNPN".utf8)),
            Self.request(.setClientName, 1, [0x6D, 33]),
            Self.request(.setClientName, 1, [UInt8(ascii: "x"), 255, 255, 255, 255]),
            Self.request(.setClientName, 1, Array("Pta\0L\0\0\0\u{1}x\0\0\0\u{2}bbN".utf8)),
            // A tag that was there.
            Self.request(.statistics, 0), Array("GET / HTTP/1.1\r\nHost: here\r\n".utf8),
        ] {
            var filter = try Self.ready()
            #expect(throws: SoundFault.self, "\(bytes.prefix(40))") { try filter.fromClient(bytes[...]) }
        }
        for bytes in [
            Self.answer(101, 1), Self.answer(103, 1), Self.sound([1], flags: 0x8000_0000),
            SoundFrame(packet: [1]).bytes,
        ] {
            var filter = try Self.ready()
            #expect(throws: SoundFault.self) { try filter.fromServer(bytes[...]) }
        }
        // Who does not begin by saying who it is.
        for bytes in [Self.request(.statistics, 0), Self.request(51, 0), Self.sound([1])] {
            var filter = SoundFilter(app: "org.example.player")
            #expect(throws: SoundFault.self) { try filter.fromClient(bytes[...]) }
        }
    }

    @Test func streamsAreCounted() throws {
        var filter = try Self.ready()
        for tag in 1...UInt32(SoundFilter.mostStreams) {
            #expect(try !filter.fromClient(Self.request(.createRecord, tag)[...]).isEmpty)
        }
        #expect(try filter.fromClient(Self.request(.createPlayback, 1000)[...]).isEmpty)
        #expect(filter.takeRefusals() == Self.answer(0, 1000, Self.noAccess))
    }
}
