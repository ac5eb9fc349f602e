import CEscrowLauncher
import EscrowFiles
import Glibc

/// The two ends of a new pipe; both close on exec.
struct Pipe: ~Copyable {
    var reading: Descriptor
    var writing: Descriptor

    /// Fails with the errno of pipe2.
    init() throws(SystemError) {
        var read: Int32 = -1
        var write: Int32 = -1
        let error = escrow_pipe(&read, &write)
        guard error == 0 else { throw SystemError(error) }
        reading = Descriptor(owning: read)
        writing = Descriptor(owning: write)
    }

    consuming func ends() -> (reading: Int32, writing: Int32) {
        (reading.release(), writing.release())
    }
}

struct SystemError: Error, Equatable {
    let number: Int32
    init(_ number: Int32) { self.number = number }

    var sentence: String { errnoSentence(number) }
}

func errnoSentence(_ number: Int32) -> String {
    strerror(number).map { String(cString: $0) } ?? "error \(number)"
}

/// Makes one end of a pipe non-blocking. The other end has an open file description, and so a mode, of its own.
func setNonBlocking(_ descriptor: Int32) {
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
}

/// Waits for events on one descriptor; -1 waits for ever.
func waitFor(_ descriptor: Int32, _ events: Int32, milliseconds: Int32 = -1) {
    var entry = pollfd(fd: descriptor, events: Int16(events), revents: 0)
    _ = poll(&entry, 1, milliseconds)
}
