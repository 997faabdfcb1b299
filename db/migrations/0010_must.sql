-- Ends a flight that was decided on what is no longer so: `select must(count(*)) from …` fails where there is no row.
-- The failure is a serialization failure by its class, so whoever sent the flight reads again and starts over.
create function must(rows bigint) returns void language plpgsql as $$
begin
  if rows = 0 then
    raise exception 'what was read has changed since' using errcode = 'serialization_failure';
  end if;
end $$;
