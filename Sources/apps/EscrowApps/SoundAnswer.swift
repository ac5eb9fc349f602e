/// What a sound server says that matters to the filter, by the numbers of PulseAudio's native protocol.
enum SoundAnswer: UInt32 {
    case error = 0
    case reply = 2
    case playbackKilled = 64
    case recordKilled = 65
    /// Shared memory, which nobody agreed to.
    case enableChannel = 101
    case disableChannel = 102
    case registerMemory = 103
}
