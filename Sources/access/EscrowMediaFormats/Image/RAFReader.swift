internal import EscrowFormats
internal import EscrowSourceFiles

/// Reads Fujifilm's raw pictures (RAF): a head that tells where the camera's own JPEG lies, which tells the rest.
enum RAFReader {
    /// How the file begins, as far as the first bytes are looked at.
    static let signature = "FUJIFILMCCD-"
    private static let pictureOffset: Int64 = 84

    /// Reads the facts of the JPEG; nil if there is none.
    static func read(_ file: inout WindowedFile, zone: LocalZone) -> ImageFacts? {
        guard let place = file.bytes(at: pictureOffset, count: 4)?.big32(0) else { return nil }
        return JPEGReader.read(&file, from: Int64(place), zone: zone)
    }
}
