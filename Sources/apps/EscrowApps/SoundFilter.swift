/// Bytes that are not PulseAudio's native protocol, or are about memory that both sides would share.
struct SoundFault: Error {}

/// What passes between a confined program and a sound server, by PulseAudio's native protocol. No I/O. Streams have properties from
/// version 13 on, so an older one is refused.
///
/// Requests that may not be made are answered here, as the server refuses them, and it never sees them. What cannot be read ends the
/// connection. Both sides are told that the other shares no memory, so no descriptor needs to pass.
struct SoundFilter {
    /// No request that passes needs nearly that much.
    static let mostPacket = 64 << 10
    static let mostStreams = 256
    private static let leastVersion: UInt32 = 13

    private let tags: SoundTags
    private var client = SoundFrames(mostPacket: mostPacket, head: mostPacket)
    /// A command, its tag, and two numbers.
    private var server = SoundFrames(mostPacket: SoundFrames.most, head: 20)
    /// What the program is told instead of the server's answer, once a frame of the server's is over.
    private var refusals: [UInt8] = []
    /// Tags must rise, so that an answer is to one request alone.
    private var lastTag: UInt32?
    private var authentication: UInt32?
    private var creating: [UInt32: SoundCommand.Direction] = [:]
    /// The program's own streams: by channel, the number that everybody knows them by.
    private var playbacks: [UInt32: UInt32] = [:]
    private var records: [UInt32: UInt32] = [:]

    /// Between the server and the app of an id.
    init(app: String) { tags = SoundTags(app: app) }

    /// What of a program's bytes goes on to the server.
    mutating func fromClient(_ bytes: ArraySlice<UInt8>) throws(SoundFault) -> [UInt8] {
        var bytes = bytes
        var passing: [UInt8] = []
        while let piece = try client.next(&bytes) {
            switch piece {
            case .rest(let rest): passing += rest
            case .frame(let frame) where frame.isPacket: passing += try request(frame)
            case .frame(let frame):
                // There are four ways to seek; all above is about shared memory.
                guard frame.flags <= 3, lastTag != nil else { throw SoundFault() }
                passing += frame.bytes
            }
        }
        return passing
    }

    /// What of a server's bytes goes on to the program.
    mutating func fromServer(_ bytes: ArraySlice<UInt8>) throws(SoundFault) -> [UInt8] {
        var bytes = bytes
        var passing: [UInt8] = []
        while let piece = try server.next(&bytes) {
            switch piece {
            case .rest(let rest): passing += rest
            case .frame(let frame) where frame.isPacket: passing += try answer(frame)
            case .frame(let frame):
                guard frame.flags & 0xFF80_0000 == 0 else { throw SoundFault() }
                passing += frame.bytes
            }
        }
        return passing
    }

    /// What goes to the program besides, after what `fromServer` gave.
    mutating func takeRefusals() -> [UInt8] {
        guard server.isBetween else { return [] }
        defer { refusals = [] }
        return refusals
    }

    private mutating func request(_ frame: SoundFrame) throws(SoundFault) -> [UInt8] {
        guard frame.flags == 0, let number = frame.number(0), let tag = frame.number(1) else {
            throw SoundFault()
        }
        let isFirst = lastTag == nil
        guard lastTag.map({ tag > $0 }) ?? (number == SoundCommand.authenticate.rawValue) else {
            throw SoundFault()
        }
        lastTag = tag
        guard let command = SoundCommand(rawValue: number), isFirst == (command == .authenticate) else {
            return try refuse(tag)
        }
        var frame = frame
        switch command {
        case .authenticate:
            authentication = tag
            guard try subject(frame) & 0xFFFF >= Self.leastVersion else { throw SoundFault() }
            try frame.clearSharing()
        case .createPlayback, .createRecord:
            guard creating.count + playbacks.count + records.count < Self.mostStreams else {
                return try refuse(tag)
            }
            creating[tag] = command == .createPlayback ? .playback : .record
        case .deletePlayback: playbacks[try subject(frame)] = nil
        case .deleteRecord: records[try subject(frame)] = nil
        // These could be about any program's stream.
        case .playbackInfo, .setPlaybackVolume, .setPlaybackMute:
            guard try playbacks.values.contains(subject(frame)) else { return try refuse(tag) }
        case .recordInfo, .setRecordVolume, .setRecordMute:
            guard try records.values.contains(subject(frame)) else { return try refuse(tag) }
        default: break
        }
        let passing = try tags.passing(frame.content)
        guard passing.count <= Self.mostPacket else { throw SoundFault() }
        return SoundFrame(packet: passing).bytes
    }

    private mutating func answer(_ frame: SoundFrame) throws(SoundFault) -> [UInt8] {
        guard let number = frame.number(0), let tag = frame.number(1) else { throw SoundFault() }
        var frame = frame
        switch SoundAnswer(rawValue: number) {
        case .error: creating[tag] = nil
        case .reply:
            if let direction = creating.removeValue(forKey: tag) {
                guard let stream = frame.number(3) else { throw SoundFault() }
                switch direction {
                case .playback: playbacks[try subject(frame)] = stream
                case .record: records[try subject(frame)] = stream
                }
            } else if tag == authentication {
                authentication = nil
                try frame.clearSharing()
            }
        case .playbackKilled: playbacks[try subject(frame)] = nil
        case .recordKilled: records[try subject(frame)] = nil
        case .enableChannel, .disableChannel, .registerMemory: throw SoundFault()
        case nil: break
        }
        return frame.bytes
    }

    private func subject(_ frame: SoundFrame) throws(SoundFault) -> UInt32 {
        guard let number = frame.number(2) else { throw SoundFault() }
        return number
    }

    private mutating func refuse(_ tag: UInt32) throws(SoundFault) -> [UInt8] {
        // They wait only while the server says something long.
        guard refusals.count < Self.mostPacket else { throw SoundFault() }
        let noAccess: UInt32 = 1
        refusals += SoundFrame(numbers: [SoundAnswer.error.rawValue, tag, noAccess]).bytes
        return []
    }
}
