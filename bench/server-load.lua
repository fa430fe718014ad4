-- wrk's script for server.mjs: sends the requests of PLAN in turn (head and body, each ended by a NUL byte), and prints
-- the result as one line of JSON.
local requests, at = {}, 0

function init()
  local file = assert(io.open(os.getenv('PLAN'), 'rb'))
  for one in file:read('*a'):gmatch('(.-)%z') do requests[#requests + 1] = one end
  file:close()
end

function request()
  at = at % #requests + 1
  return requests[at]
end

-- The pause of each connection before its next request, in milliseconds.
local pause = tonumber(os.getenv('PAUSE_MS') or '')
if pause then
  function delay()
    return pause
  end
end

function done(summary)
  local errors = summary.errors
  print(string.format('RESULT {"requests":%d,"failed":%d,"bytes":%d,"us":%d}', summary.requests,
    errors.connect + errors.read + errors.write + errors.status + errors.timeout, summary.bytes, summary.duration))
end
