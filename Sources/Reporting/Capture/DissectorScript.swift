internal import CompanionProtocol
internal import MeshProtocol

/// The Wireshark dissector for captures, in Lua: the tables of frames come from the catalogues, what reads them is fixed.
package enum DissectorScript {
    /// LoRa's sync word for private networks, which MeshCore uses.
    static let syncWord: UInt8 = 0x12

    package static func text(version: String) -> String {
        var text = """
            -- Wireshark dissector for MeshCore: packets on the air (LoRaTap) and frames of the companion protocol.
            -- Made by meshrig \(version) from its tables of frames: meshrig dissector > meshcore.lua
            --     tshark -X lua_script:meshcore.lua -r run.pcapng
            --     wireshark -X lua_script:meshcore.lua run.pcapng

            local sync_word = \(syncWord)
            local routes = \(names(RouteType.allCases.map { (Int($0.rawValue), $0.description) }))
            local types = \(names((0...15).map { (Int($0), PayloadType(rawValue: $0).name) }))

            """
        text += table("to_radio", FrameNames.commands.map { ($0.name, $0.code.rawValue) }, .toRadio)
        text += table("from_radio", FrameNames.radioFrames.map { ($0.name, $0.code.rawValue) }, .fromRadio)
        return text + reader
    }

    private static func names(_ names: [(Int, String)]) -> String {
        "{ " + names.map { "[\($0.0)] = \(quoted($0.1))" }.joined(separator: ", ") + " }"
    }

    private static func table(_ name: String, _ frames: [(name: String, code: UInt8)], _ way: LinkDirection) -> String {
        var text = "\n-- \(way.rawValue): code = { name, fields }\nlocal \(name) = {\n"
        for frame in frames {
            let fields = FrameDescription.layout(of: [frame.code], way)?.fields ?? []
            text += "  [\(frame.code)] = { name = \(quoted(frame.name)), fields = {"
            text += fields.map { "\n    " + entry($0) }.joined(separator: ",") + " } },\n"
        }
        return text + "}\n"
    }

    private static func entry(_ field: FieldLayout) -> String {
        var parts = ["name = \(quoted(field.name))", "form = \(quoted("\(field.form)"))"]
        switch field.size {
        case .fixed(let size): parts.append("size = \(size)")
        case .rest: break
        case .path(let name): parts.append("path = \(quoted(name))")
        case .counted(let name): parts.append("counted = \(quoted(name))")
        case .hops(let bytes, let flags): parts.append("hops = { \(quoted(bytes)), \(quoted(flags)) }")
        }
        switch field.presence {
        case .always: break
        case .mayBeMissing: parts.append("optional = true")
        case .when(let name, let value): parts.append("when = { \(quoted(name)), \(value) }")
        }
        if !field.unit.isEmpty { parts.append("unit = \(quoted(field.unit))") }
        if field.isSecret { parts.append("secret = true") }
        return "{ " + parts.joined(separator: ", ") + " }"
    }

    private static func quoted(_ text: String) -> String {
        "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    }

    /// Reads frames by the tables above it, and packets.
    private static let reader = #"""

        -- The companion protocol.

        local companion = Proto("meshcore_companion", "MeshCore companion protocol")
        local code_field = ProtoField.uint8("meshcore_companion.code", "code")
        local name_field = ProtoField.string("meshcore_companion.name", "name")
        local extra_field = ProtoField.bytes("meshcore_companion.extra", "extra")
        local cut_short = ProtoExpert.new("meshcore_companion.cut_short", "the frame ends within this field",
          expert.group.PROTOCOL, expert.severity.WARN)
        local declared = { code_field, name_field, extra_field }
        companion.experts = { cut_short }

        local unsigned = { [1] = ProtoField.uint8, [2] = ProtoField.uint16, [3] = ProtoField.uint24,
          [4] = ProtoField.uint32, [8] = ProtoField.uint64 }
        local signed = { [1] = ProtoField.int8, [2] = ProtoField.int16, [3] = ProtoField.int24,
          [4] = ProtoField.int32, [8] = ProtoField.int64 }
        local kinds = {
          unsigned = function(size) return unsigned[size] end,
          signed = function(size) return signed[size] end,
          quarters = function(size) return signed[size] end,
          pathLength = function(size) return unsigned[size] end,
          text = function() return ProtoField.string end,
          name = function() return ProtoField.string end,
        }

        -- Declares the field of every frame as meshcore_companion.FRAME.FIELD, hyphens as underscores.
        local taken = {}
        local function declare(frames)
          for _, frame in pairs(frames) do
            for _, field in ipairs(frame.fields) do
              if field.form ~= "reserved" and not field.secret then
                local abbreviation = "meshcore_companion." .. frame.name .. "." .. field.name
                abbreviation = abbreviation:gsub("-", "_")
                while taken[abbreviation] do abbreviation = abbreviation .. "_" end
                taken[abbreviation] = true
                local make = kinds[field.form] and kinds[field.form](field.size)
                field.is_number = make ~= nil and make ~= ProtoField.string
                field.proto = (make or ProtoField.bytes)(abbreviation, field.name)
                declared[#declared + 1] = field.proto
              end
            end
          end
        end
        declare(to_radio)
        declare(from_radio)
        companion.fields = declared

        -- Numbers are little-endian; only those of up to 4 bytes say how long something else is.
        local function number(range) return range:len() <= 4 and range:len() > 0 and range:le_uint() or 0 end

        local function path_bytes(length)
          if length == 255 then return 0 end
          return (bit.rshift(length, 6) + 1) * bit.band(length, 63)
        end

        local function wanted_size(field, values, left)
          if field.size then return field.size end
          if field.path then return path_bytes(values[field.path] or 0) end
          if field.counted then return values[field.counted] or 0 end
          if field.hops then
            return bit.rshift(values[field.hops[1]] or 0, bit.band(values[field.hops[2]] or 0, 3))
          end
          return left
        end

        local function show(tree, field, range)
          if field.secret then
            tree:add(range, field.name .. ": <secret>")
            return
          end
          local unit = field.unit and " " .. field.unit or ""
          local item
          if not field.is_number then
            item = tree:add(field.proto, range)
          elseif range:len() < field.size then
            item = tree:add(range, field.name .. ": " .. tostring(range:bytes()))
          else
            item = tree:add_le(field.proto, range)
          end
          if field.form == "quarters" and range:len() == field.size then
            item:set_text(field.name .. ": " .. range:le_int() / 4 .. unit)
          elseif unit ~= "" then
            item:append_text(unit)
          end
          if field.size and range:len() < field.size then item:add_proto_expert_info(cut_short) end
        end

        function companion.dissector(buffer, pinfo, tree)
          local length = buffer:len()
          if length == 0 then return 0 end
          -- 1 is received: from the radio, as the client sees it.
          local is_reply = pinfo.p2p_dir == 1
          local code = buffer(0, 1):uint()
          local frame = (is_reply and from_radio or to_radio)[code]
          local name = frame and frame.name or string.format("0x%02x", code)
          pinfo.cols.protocol = "MeshCore link"
          pinfo.cols.info = (is_reply and "from radio: " or "to radio: ") .. name
          local branch = tree:add(companion, buffer(), "MeshCore companion protocol, " .. name)
          branch:add(code_field, buffer(0, 1))
          branch:add(name_field, buffer(0, 1), name)
          local at, values, hidden = 1, {}, false
          for _, field in ipairs(frame and frame.fields or {}) do
            local left = length - at
            local is_due = not field.when or values[field.when[1]] == field.when[2]
            local taken = is_due and math.min(wanted_size(field, values, left), left) or 0
            if taken > 0 then
              local range = buffer(at, taken)
              values[field.name] = number(range)
              hidden = hidden or field.secret
              if field.form ~= "reserved" then show(branch, field, range) end
              at = at + taken
            end
          end
          -- What stands behind a secret may be a longer form of it.
          if at < length and hidden then branch:add(buffer(at), "extra: <secret>")
          elseif at < length then branch:add(extra_field, buffer(at)) end
          return length
        end

        -- The air.

        local mesh = Proto("meshcore", "MeshCore")
        local f = {
          route = ProtoField.uint8("meshcore.route", "route", base.DEC, routes, 0x03),
          type = ProtoField.uint8("meshcore.type", "type", base.DEC, types, 0x3C),
          version = ProtoField.uint8("meshcore.version", "version", base.DEC, nil, 0xC0),
          region = ProtoField.uint16("meshcore.transport_code", "transport code", base.HEX),
          home = ProtoField.uint16("meshcore.transport_code_home", "transport code of home", base.HEX),
          hops = ProtoField.uint8("meshcore.hops", "hops", base.DEC, nil, 0x3F),
          hash_size = ProtoField.uint8("meshcore.hash_size", "bytes a hop less one", base.DEC, nil, 0xC0),
          path = ProtoField.bytes("meshcore.path", "path", base.SPACE),
          snr = ProtoField.int8("meshcore.trace.snr", "SNR in quarters of a dB"),
          destination = ProtoField.uint8("meshcore.destination", "destination", base.HEX),
          source = ProtoField.uint8("meshcore.source", "source", base.HEX),
          channel = ProtoField.uint8("meshcore.channel", "channel", base.HEX),
          mac = ProtoField.uint16("meshcore.mac", "MAC", base.HEX),
          sealed = ProtoField.bytes("meshcore.sealed", "sealed"),
          ack = ProtoField.bytes("meshcore.ack", "acknowledgement"),
          remaining = ProtoField.uint8("meshcore.multipart.remaining", "remaining", base.DEC, nil, 0xF0),
          inner = ProtoField.uint8("meshcore.multipart.type", "inner type", base.DEC, types, 0x0F),
          key = ProtoField.bytes("meshcore.key", "public key"),
          time = ProtoField.uint32("meshcore.advert.time", "time"),
          signature = ProtoField.bytes("meshcore.advert.signature", "signature"),
          flags = ProtoField.uint8("meshcore.advert.flags", "flags", base.HEX),
          node_type = ProtoField.uint8("meshcore.advert.node_type", "node type", base.DEC,
            { [1] = "companion", [2] = "repeater", [3] = "room", [4] = "sensor" }, 0x0F),
          latitude = ProtoField.int32("meshcore.advert.latitude", "latitude in millionths of a degree"),
          longitude = ProtoField.int32("meshcore.advert.longitude", "longitude in millionths of a degree"),
          feature1 = ProtoField.uint16("meshcore.advert.feature1", "feature 1", base.HEX),
          feature2 = ProtoField.uint16("meshcore.advert.feature2", "feature 2", base.HEX),
          name = ProtoField.string("meshcore.advert.name", "name", base.UNICODE),
          tag = ProtoField.uint32("meshcore.trace.tag", "tag", base.HEX),
          code = ProtoField.uint32("meshcore.trace.code", "authentication code", base.HEX),
          trace_flags = ProtoField.uint8("meshcore.trace.flags", "flags", base.HEX),
          trace_path = ProtoField.bytes("meshcore.trace.path", "path to trace", base.SPACE),
          payload = ProtoField.bytes("meshcore.payload", "payload"),
        }
        local mesh_fields = {}
        for _, field in pairs(f) do mesh_fields[#mesh_fields + 1] = field end
        mesh.fields = mesh_fields
        local too_short = ProtoExpert.new("meshcore.too_short", "the packet is too short",
          expert.group.PROTOCOL, expert.severity.WARN)
        mesh.experts = { too_short }

        local function peers(body, tree, pinfo)
          tree:add(f.destination, body(0, 1))
          tree:add(f.source, body(1, 1))
          tree:add(f.mac, body(2, 2))
          if body:len() > 4 then tree:add(f.sealed, body(4)) end
          pinfo.cols.info:append(string.format(", %02x to %02x", body(1, 1):uint(), body(0, 1):uint()))
        end

        local function group(body, tree, pinfo)
          tree:add(f.channel, body(0, 1))
          tree:add(f.mac, body(1, 2))
          if body:len() > 3 then tree:add(f.sealed, body(3)) end
          pinfo.cols.info:append(string.format(", channel %02x", body(0, 1):uint()))
        end

        local function anonymous(body, tree, pinfo)
          tree:add(f.destination, body(0, 1))
          tree:add(f.key, body(1, 32))
          tree:add(f.mac, body(33, 2))
          if body:len() > 35 then tree:add(f.sealed, body(35)) end
          pinfo.cols.info:append(string.format(", %02x to %02x", body(1, 1):uint(), body(0, 1):uint()))
        end

        local function advert(body, tree, pinfo)
          tree:add(f.key, body(0, 32))
          tree:add_le(f.time, body(32, 4))
          tree:add(f.signature, body(36, 64))
          if body:len() <= 100 then return end
          local flags = body(100, 1):uint()
          tree:add(f.flags, body(100, 1))
          tree:add(f.node_type, body(100, 1))
          local at = 101
          for _, part in ipairs({ { 0x10, { f.latitude, f.longitude }, 4 }, { 0x20, { f.feature1 }, 2 },
            { 0x40, { f.feature2 }, 2 } }) do
            if bit.band(flags, part[1]) ~= 0 then
              for _, field in ipairs(part[2]) do
                if at + part[3] > body:len() then
                  tree:add_proto_expert_info(too_short)
                  return
                end
                tree:add_le(field, body(at, part[3]))
                at = at + part[3]
              end
            end
          end
          if bit.band(flags, 0x80) ~= 0 and at < body:len() then
            tree:add(f.name, body(at))
            pinfo.cols.info:append(", " .. body(at):string())
          end
        end

        local function multipart(body, tree)
          tree:add(f.remaining, body(0, 1))
          tree:add(f.inner, body(0, 1))
          if body:len() > 1 then tree:add(f.ack, body(1)) end
        end

        local function trace(body, tree)
          tree:add_le(f.tag, body(0, 4))
          tree:add_le(f.code, body(4, 4))
          tree:add(f.trace_flags, body(8, 1))
          if body:len() > 9 then tree:add(f.trace_path, body(9)) end
        end

        -- By name of the type: the least size of the payload and what reads it.
        local payloads = {
          ["req"] = { 4, peers }, ["response"] = { 4, peers }, ["txt-msg"] = { 4, peers }, ["path"] = { 4, peers },
          ["ack"] = { 4, function(body, tree) tree:add(f.ack, body()) end },
          ["grp-txt"] = { 3, group }, ["grp-data"] = { 3, group }, ["anon-req"] = { 35, anonymous },
          ["advert"] = { 100, advert }, ["multipart"] = { 1, multipart }, ["trace"] = { 9, trace },
        }

        function mesh.dissector(buffer, pinfo, tree)
          local length = buffer:len()
          pinfo.cols.protocol = "MeshCore"
          local branch = tree:add(mesh, buffer(), "MeshCore")
          local function short()
            branch:add_proto_expert_info(too_short)
            pinfo.cols.info = "too short"
            return length
          end
          if length < 2 then return short() end
          local header = buffer(0, 1):uint()
          local route, kind = bit.band(header, 3), types[bit.band(bit.rshift(header, 2), 15)]
          branch:add(f.route, buffer(0, 1))
          branch:add(f.type, buffer(0, 1))
          branch:add(f.version, buffer(0, 1))
          local at = 1
          if route == 0 or route == 3 then
            if length < 6 then return short() end
            branch:add_le(f.region, buffer(1, 2))
            branch:add_le(f.home, buffer(3, 2))
            at = 5
          end
          local count = buffer(at, 1):uint()
          local hops = bit.band(count, 63)
          branch:add(f.hops, buffer(at, 1))
          branch:add(f.hash_size, buffer(at, 1))
          at = at + 1
          local size = (bit.rshift(count, 6) + 1) * hops
          if at + size > length then return short() end
          if kind == "trace" then
            for index = at, at + size - 1 do branch:add(f.snr, buffer(index, 1)) end
          elseif size > 0 then
            branch:add(f.path, buffer(at, size))
          end
          at = at + size
          pinfo.cols.info = string.format("%s by %s, %d hop%s", kind, routes[route], hops, hops == 1 and "" or "s")
          if at >= length then return length end
          local body = buffer(at):tvb()
          local payload = payloads[kind]
          if payload and body:len() >= payload[1] then
            payload[2](body, branch, pinfo)
          else
            branch:add(f.payload, buffer(at))
          end
          return length
        end

        DissectorTable.get("loratap.syncword"):add(sync_word, mesh)
        DissectorTable.get("wtap_encap"):add(wtap.USER0, companion)
        DissectorTable.get("wtap_encap"):add(wtap.USER1, mesh)
        """# + "\n"
}
