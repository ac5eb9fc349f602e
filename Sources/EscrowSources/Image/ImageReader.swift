/// Reads a picture's header, in the format that its first bytes tell.
enum ImageReader {
    /// What a header says, or why it cannot be read.
    static func read(_ file: inout WindowedFile, needs: ImageNeeds, zone: LocalZone) -> Result<
        ImageFacts, Unreadable
    > {
        guard let head = file.available(at: 0, upTo: 12), head.count >= 2 else {
            return .failure(
                file.failure.map { Unreadable(.unreadable(errno: $0)) } ?? Unreadable("the file is too short")
            )
        }
        if head.big16(0) == 0xFFD8 {
            return JPEGReader.read(&file, needs: needs, zone: zone).map { .success($0) }
                ?? .failure(Unreadable("a damaged JPEG header"))
        }
        if head.starts(with: PNGReader.signature) {
            return PNGReader.read(&file, needs: needs, zone: zone).map { .success($0) }
                ?? .failure(Unreadable("a damaged PNG header"))
        }
        if head.part(4, 4)?.elementsEqual("ftyp".utf8) == true {
            return HEIFReader.read(&file, needs: needs, zone: zone).map { .success($0) }
                ?? .failure(Unreadable("a damaged HEIF header"))
        }
        return .failure(Unreadable("no picture of a kind whose header is read"))
    }

    /// Why a header cannot be read.
    struct Unreadable: Error {
        let problem: FileProblem
        init(_ problem: FileProblem) { self.problem = problem }
        init(_ reason: String) { problem = FileProblem(reason, partial: true) }
    }
}
