/// What a confined program may ask a sound server for, by the numbers of PulseAudio's native protocol.
///
/// The server loads libraries for whoever asks (LOAD_MODULE, EXTENSION, SEND_OBJECT_MESSAGE), so this names what may be asked and not
/// what may not. Samples are left out, too: they are everybody's, and a program could put its own in another's place. So is what takes
/// properties away: a stream would lose whose it is.
enum SoundCommand: UInt32, CaseIterable {
    case createPlayback = 3
    case deletePlayback = 4
    case createRecord = 5
    case deleteRecord = 6
    case authenticate = 8
    case setClientName = 9
    case lookUpSink = 10
    case lookUpSource = 11
    case drainPlayback = 12
    case statistics = 13
    case playbackLatency = 14
    case serverInfo = 20
    case sinkInfo = 21
    case sinkInfoList = 22
    case sourceInfo = 23
    case sourceInfoList = 24
    case playbackInfo = 29
    case recordInfo = 31
    case subscribe = 35
    case setPlaybackVolume = 37
    case corkPlayback = 41
    case flushPlayback = 42
    case triggerPlayback = 43
    case setPlaybackName = 46
    case setRecordName = 47
    case recordLatency = 57
    case corkRecord = 58
    case flushRecord = 59
    case prebufferPlayback = 60
    case setPlaybackMute = 69
    case setPlaybackBuffer = 72
    case setRecordBuffer = 73
    case setPlaybackRate = 74
    case setRecordRate = 75
    case updateRecordProperties = 80
    case updatePlaybackProperties = 81
    case updateClientProperties = 82
    case setRecordVolume = 98
    case setRecordMute = 99

    /// What a stream does.
    enum Direction { case playback, record }
}
