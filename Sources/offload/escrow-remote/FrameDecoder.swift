import EscrowOffloadWire
import NIOCore

/// Cuts what the host writes into frames.
struct FrameDecoder: ByteToMessageDecoder {
    typealias InboundOut = RemoteFrame

    mutating func decode(
        context: ChannelHandlerContext, buffer: inout ByteBuffer
    ) throws -> DecodingState {
        guard let header = buffer.getBytes(at: buffer.readerIndex, length: RemoteFrame.headerBytes) else {
            return .needMoreData
        }
        let count = try RemoteFrame.length(header)
        guard buffer.readableBytes >= RemoteFrame.headerBytes + count else { return .needMoreData }
        buffer.moveReaderIndex(forwardBy: RemoteFrame.headerBytes)
        let body = buffer.readBytes(length: count) ?? []
        context.fireChannelRead(wrapInboundOut(try RemoteFrame(kind: header[0], body: body)))
        return .continue
    }

    mutating func decodeLast(
        context: ChannelHandlerContext, buffer: inout ByteBuffer, seenEOF: Bool
    ) throws -> DecodingState {
        try decode(context: context, buffer: &buffer)
    }
}
