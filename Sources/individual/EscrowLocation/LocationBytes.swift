import EscrowLocationPrivacy

/// The readers of bytes that others may have written, one by one, for the fuzzer.
@_spi(Fuzzing) public enum LocationBytes {
    /// Reads `location.json`; what is accepted is written as it reads.
    public static func readPlaces(_ bytes: [UInt8]) {
        guard let file = try? LocationFile(bytes) else { return }
        let again = try? LocationFile(file.bytes)
        precondition(again?.rules == file.rules && again?.secret == file.secret, "the rules read differently")
    }

    /// Reads `location.memory.json`, and `live.json`, likewise.
    public static func readMemory(_ bytes: [UInt8]) {
        if let file = try? LocationMemoryFile(bytes) {
            let again = try? LocationMemoryFile(file.bytes)
            precondition(again?.bytes == file.bytes, "the memory reads differently")
        }
        if let file = try? LiveFile(bytes) {
            let again = try? LiveFile(file.bytes)
            precondition(again?.bytes == file.bytes, "who follows reads differently")
        }
    }

    /// Reads `location.places.NAME.json`, likewise.
    public static func readList(_ bytes: [UInt8]) {
        guard let file = try? PlaceListFile(bytes) else { return }
        let again = try? PlaceListFile(file.bytes)
        precondition(again?.list == file.list, "the list reads differently")
        precondition(file.list.places.contains(file.list.nearest(to: file.list.places[0])))
    }

    /// Reads a line of gpsd's.
    public static func readReport(_ bytes: [UInt8]) {
        guard let fix = Gpsd.fix(bytes) else { return }
        precondition(fix.place.latitude.magnitude <= 90 && fix.accuracy ?? 0 >= 0)
    }
}
