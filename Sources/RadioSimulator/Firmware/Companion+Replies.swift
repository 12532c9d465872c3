internal import CompanionProtocol
internal import MeshProtocol
internal import RigBase

/// Frames that more than one handler or event writes.
extension Companion {
    func ok() { write([RadioCode.ok.rawValue]) }

    /// ERR; its code byte exists since protocol version 3 (companion-protocol §10).
    func error(_ code: DeviceErrorCode) {
        write(profile.protocolCode >= 3 ? [RadioCode.error.rawValue, code.rawValue] : [RadioCode.error.rawValue])
    }

    /// Frames that are built outside the output buffer and leave nothing in it.
    func writeSmall(_ code: RadioCode, _ body: (inout ByteWriter) -> Void) {
        var writer = ByteWriter()
        writer.u8(code.rawValue)
        body(&writer)
        write(writer.bytes)
    }

    func build(_ code: RadioCode, _ body: (inout OutputBuffer) -> Void) {
        out.begin(code.rawValue)
        body(&out)
    }

    /// Builds a frame in the output buffer and sends it.
    func reply(_ code: RadioCode, _ body: (inout OutputBuffer) -> Void) {
        build(code, body)
        writeOut()
    }

    /// A push that is only made while a client is connected.
    func pushIfConnected(_ code: RadioCode, _ body: (inout OutputBuffer) -> Void) {
        guard host.isConnected else { return }
        reply(code, body)
    }

    /// A push that leaves its bytes in the output buffer also when no client is connected.
    func buildForClient(_ code: RadioCode, _ body: (inout OutputBuffer) -> Void) {
        build(code, body)
        if host.isConnected { writeOut() }
    }

    /// SENT: whether by flood, four bytes of acknowledgement or tag, and the advised timeout.
    func sent(flood: Bool, tag: [UInt8], timeout: Int) {
        reply(.sent) { out in
            out.u8(flood ? 1 : 0)
            out.append(profile.quirks.sendsWithoutTag ? [0, 0, 0, 0] : tag)
            out.u32(UInt32(truncatingIfNeeded: timeout))
        }
    }

    func tagBytes(_ tag: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: tag >> (8 * UInt32($0))) }
    }

    /// The scope of floods to contacts and channels (companion-protocol §6.11).
    var floodScope: RegionKey? { isUnscoped ? nil : scopeOverride ?? preferences.scope }

    /// Writes the settings to flash, as most setters do at once.
    func savePreferences() {
        guard !isStorageFull else { return }
        flash.preferences = preferences
        flash.hasPreferences = true
    }

    /// Sends to a contact the way its path says; reports whether by flood, and the advised timeout.
    func sendToContact(_ held: HeldPacket, _ contact: Contact, forcingFlood: Bool = false) -> (Bool, Int) {
        let length = SendTimeout.estimatedLength(payload: held.packet.payload.count)
        let airtime = node.radio.airtimeMillis(length: length)
        guard contact.pathLength != 0xFF, !forcingFlood else {
            node.sendFlood(held, scope: floodScope)
            return (true, SendTimeout.flood(airtimeMillis: airtime))
        }
        let path = PathLength(rawValue: contact.pathLength)
        node.sendDirect(held, length: path, path: contact.path)
        return (false, SendTimeout.direct(airtimeMillis: airtime, hops: path.hopCount))
    }

    /// The shared secret with a contact, worked out once.
    func secret(at index: Int) -> SharedSecret {
        if let known = contacts[index].secret { return known }
        let made = node.identity.sharedSecret(with: contacts[index].key)
        contacts[index].secret = made
        return made
    }
}
