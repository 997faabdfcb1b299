-- live.listArrivals(receivers, floors, most)
select "arrival".*, pg_snapshot_xmin(pg_current_snapshot())::text::bigint as "oldest", pg_snapshot_xmax(pg_current_snapshot())::text::bigint as "next"
  from "users"
  inner join unnest($1::bigint[], $2::bigint[]) as inbox (receiver, floor) on "inbox"."receiver" = "users"."id"
  inner join lateral (select "notifications"."id", "notifications"."type", "notifications"."title", "notifications"."facts", "notifications"."content", "notifications"."receiver_id", "notifications"."read_at", "notifications"."resource_type", "notifications"."resource_id", "notifications"."created_at", case when notifications.resource_type = 'user'
    then ((select case when "users"."deleted_at" is null
    then coalesce(nullif("users"."nickname", ''), "users"."username") else '' end as "name"
  from "users"
  where "users"."tenant_id" = $3 and "users"."id" = "notifications"."resource_id")) end as "user_name", notifications.read_at is not null as "read"
  from "notifications"
  where "notifications"."tenant_id" = $4 and "notifications"."receiver_id" = "users"."id" and "notifications"."id" > inbox.floor
  order by "notifications"."id"
  limit $5) as "arrival" on true
  where "users"."tenant_id" = $6;

-- live.listLatestIds(receiverId, most)
select "notifications"."id", pg_snapshot_xmin(pg_current_snapshot())::text::bigint as "oldest", pg_snapshot_xmax(pg_current_snapshot())::text::bigint as "next"
  from "notifications"
  where "notifications"."tenant_id" = $1 and "notifications"."receiver_id" = $2
  order by "notifications"."id" desc
  limit $3;

-- live.countUnreadOfEach(receivers)
select "users"."id" as "receiver_id", (select count(*) as "count"
  from "notifications"
  where "notifications"."tenant_id" = $1 and "notifications"."receiver_id" = "users"."id" and "notifications"."read_at" is null) as "unread"
  from "users"
  where "users"."tenant_id" = $2 and "users"."id" = any($3::bigint[]);
