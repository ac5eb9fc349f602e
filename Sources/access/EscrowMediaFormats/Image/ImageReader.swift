package import EscrowFormats
package import EscrowSourceFiles

/// Reads a picture's header, in the format that its first bytes tell.
package enum ImageReader {
    /// What a header says, and what could not be read of it.
    package static func read(
        _ file: inout WindowedFile, zone: LocalZone
    ) -> (facts: ImageFacts?, problem: FileProblem?) {
        guard let head = file.available(at: 0, upTo: 12), head.count >= 2 else {
            let problem = file.failure.map { FileProblem.unreadable(errno: $0) }
            return (nil, problem ?? FileProblem("the file is too short", partial: true))
        }
        guard let (format, facts) = read(&file, head, zone) else {
            return (nil, FileProblem("no picture of a kind whose header is read", partial: true))
        }
        if let failure = file.failure { return (facts, .unreadable(errno: failure)) }
        if facts == nil { return (nil, FileProblem("a damaged \(format) header", partial: true)) }
        return facts?.pixelWidth == nil
            ? (facts, FileProblem("a \(format) header without a size", partial: true)) : (facts, nil)
    }

    /// The name of a file's format, and what its reader finds; nil for a format that is not read.
    private static func read(
        _ file: inout WindowedFile, _ head: ArraySlice<UInt8>, _ zone: LocalZone
    ) -> (format: String, facts: ImageFacts?)? {
        if head.big16(0) == 0xFFD8 { return ("JPEG", JPEGReader.read(&file, zone: zone)) }
        if head.starts(with: PNGReader.signature) { return ("PNG", PNGReader.read(&file, zone: zone)) }
        if head.starts(with: "GIF8".utf8) { return ("GIF", GIFReader.read(&file, zone: zone)) }
        if head.starts(with: "RIFF".utf8), head.dropFirst(8).elementsEqual("WEBP".utf8) {
            return ("WebP", WebPReader.read(&file, zone: zone))
        }
        if head.starts(with: "BM".utf8) { return ("BMP", BMPReader.read(&file)) }
        if tiffStarts.contains(where: { head.starts(with: $0.utf8) }) {
            return ("TIFF", TIFFReader.read(&file, zone: zone))
        }
        if head.starts(with: RAFReader.signature.utf8) { return ("RAF", RAFReader.read(&file, zone: zone)) }
        if head.starts(with: MatroskaReader.signature) {
            return ("video", MatroskaReader.readVideo(&file))
        }
        guard MovieReader.isMovie(head) else { return nil }
        let brand = String(decoding: head.part(8, 4) ?? [], as: UTF8.self)
        if brand == CR3Reader.brand { return ("CR3", CR3Reader.read(&file, zone: zone)) }
        if stillBrands.contains(brand) { return ("HEIF", HEIFReader.read(&file, zone: zone)) }
        // A still picture may bear a brand that is not on the list.
        let movie = MovieReader.read(&file).map { ImageFacts($0) }
        return ("video", movie ?? HEIFReader.read(&file, zone: zone))
    }

    /// TIFF and BigTIFF in both orders of bytes; Panasonic and Olympus have numbers of their own in place of 42.
    private static let tiffStarts = [
        "II*\0", "MM\0*", "II+\0", "MM\0+", "IIU\0", "IIRO", "IIRS", "MMOR",
    ]

    /// The brands of still pictures among ISO base media files.
    private static let stillBrands: Set<String> = [
        "heic", "heix", "heim", "heis", "mif1", "mif2", "avif", "avis", "hevc", "hevx", "msf1", "miaf",
    ]
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
