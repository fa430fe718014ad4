-- wrk's side of server.mjs: the requests in PLAN (one JSON-free line each: head and body, with \r\n as in the file),
-- in turn, and the result as one line of JSON.
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

-- At a pace: each connection waits this long before it asks again, in milliseconds.
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
