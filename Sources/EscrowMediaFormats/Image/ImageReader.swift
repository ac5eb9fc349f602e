package import EscrowFormats
package import EscrowSourceFiles

/// Reads a picture's header, in the format that its first bytes tell.
package enum ImageReader {
    /// What a header says, or why it cannot be read.
    package static func read(_ file: inout WindowedFile, needs: ImageNeeds, zone: LocalZone) -> Result<
        ImageFacts, Unreadable
    > {
        guard let head = file.available(at: 0, upTo: 12), head.count >= 2 else {
            return .failure(
                file.failure.map { Unreadable(.unreadable(errno: $0)) } ?? Unreadable("the file is too short")
            )
        }
        if head.big16(0) == 0xFFD8 {
            return JPEGReader.read(&file, zone: zone).map { .success($0) }
                ?? .failure(Unreadable("a damaged JPEG header"))
        }
        if head.starts(with: PNGReader.signature) {
            return PNGReader.read(&file, needs: needs, zone: zone).map { .success($0) }
                ?? .failure(Unreadable("a damaged PNG header"))
        }
        let brand = String(decoding: head.part(8, 4) ?? [], as: UTF8.self)
        let isMovie = MovieReader.isMovie(head) && !stillBrands.contains(brand)
        if isMovie, let movie = MovieReader.read(&file) { return .success(ImageFacts(movie)) }
        if isMovie, head.part(4, 4)?.elementsEqual("ftyp".utf8) != true {
            return .failure(Unreadable("a video without a readable header"))
        }
        // A still picture may bear a brand that is not on the list.
        if head.part(4, 4)?.elementsEqual("ftyp".utf8) == true {
            return HEIFReader.read(&file, needs: needs, zone: zone).map { .success($0) }
                ?? .failure(
                    Unreadable(isMovie ? "a video without a readable header" : "a damaged HEIF header"))
        }
        return .failure(Unreadable("no picture of a kind whose header is read"))
    }

    /// The brands of still pictures among ISO base media files.
    private static let stillBrands: Set<String> = [
        "heic", "heix", "heim", "heis", "mif1", "mif2", "avif", "avis", "hevc", "hevx", "msf1", "miaf",
    ]

    /// Why a header cannot be read.
    package struct Unreadable: Error {
        package let problem: FileProblem
        init(_ problem: FileProblem) { self.problem = problem }
        init(_ reason: String) { problem = FileProblem(reason, partial: true) }
    }
}

extension ImageFacts {
    /// What a video says.
    package init(_ movie: MovieFacts) {
        func clean(_ text: [UInt8]?) -> String? {
            guard let text else { return nil }
            var clean: [UInt8] = []
            TextRepair.append(text[...].prefix(256), to: &clean)
            return clean.isEmpty ? nil : String(decoding: clean, as: UTF8.self)
        }
        creationDate = movie.created
        duration = movie.duration
        pixelWidth = movie.width.map(Int64.init)
        pixelHeight = movie.height.map(Int64.init)
        latitude = movie.latitude
        longitude = movie.longitude
        altitude = movie.altitude
        cameraMake = clean(movie.make)
        cameraModel = clean(movie.model)
        title = movie.tags.text(.title).map { String(decoding: $0, as: UTF8.self) }
    }
}
