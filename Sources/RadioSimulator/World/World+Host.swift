internal import RigBase
public import RunRecord

/// The host link of companions: raw bytes in, frames out.
extension World {
    /// Bytes a client has written; the node can read them from the next millisecond on. `interface` tells by which of two
    /// they come (serial when nil); a node with one takes them by that.
    public func hostWrite(
        _ bytes: [UInt8], to name: String, over interface: HostInterfaceKind? = nil, cause: EventID? = nil
    ) {
        guard let (node, companion) = poweredCompanion(name) else { return }
        attached[node.index] = true
        companion.host.arrived(bytes, over: interface, readable: millisecond + 1, cause: cause)
        touch(node)
    }

    /// Bytes that were written to a node and that it has not read, so that whoever writes can wait.
    public func hostBacklog(of name: String, over interface: HostInterfaceKind? = nil) -> Int {
        poweredCompanion(name)?.1.host.backlog(over: interface) ?? 0
    }

    /// What a node has written to its host link since the last call. A node that never had a client keeps only its
    /// last thousand frames.
    public func takeHostOutput(of name: String) -> [HostOutput] {
        let index = node(name).index
        attached[index] = true
        defer { outputs[index] = [] }
        return outputs[index]
    }

    public func hasHostOutput(of name: String) -> Bool { !outputs[node(name).index].isEmpty }

    /// A TCP client has connected; on serial links nothing happens.
    public func hostConnected(_ name: String) {
        guard let (node, companion) = poweredCompanion(name) else { return }
        attached[node.index] = true
        companion.host.connect(at: millisecond)
        touch(node)
    }

    /// The TCP client is gone; on serial links nothing happens.
    public func hostDisconnected(_ name: String) {
        guard let (node, companion) = poweredCompanion(name) else { return }
        companion.host.disconnect(at: millisecond)
        touch(node)
    }

    /// Zeroes what earlier commands left in a companion's receive buffer, as the recorder of the firmware recordings
    /// does before frames with a note.
    package func zeroCommandBuffer(of name: String) { companion(name).command = CommandBuffer() }

    /// A frame leaves a node for its host.
    func deliver(_ frame: HostFrame, from node: Node) {
        let length = frame.bytes.count
        let envelope: [UInt8] = [0x3E, UInt8(truncatingIfNeeded: length), UInt8(truncatingIfNeeded: length >> 8)]
        outputs[node.index].append(
            HostOutput(
                at: SimInstant(milliseconds: node.now), bytes: envelope + frame.bytes, frame: frame.bytes,
                cause: frame.cause, interface: frame.interface))
        if !attached[node.index], outputs[node.index].count > 2_000 { outputs[node.index].removeFirst(1_000) }
    }

    private func poweredCompanion(_ name: String) -> (Node, Companion)? {
        let node = node(name)
        guard node.isOn, let companion = node.role as? Companion else { return nil }
        return (node, companion)
    }

    func companion(_ name: String) -> Companion {
        guard let companion = node(name).role as? Companion else { preconditionFailure("'\(name)' is no companion") }
        return companion
    }
}
