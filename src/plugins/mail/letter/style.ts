const FONT =
  "font-family:-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,'Helvetica Neue',Arial,'PingFang SC','Hiragino Sans GB','Microsoft YaHei','Noto Sans CJK SC',sans-serif"

/** The styles of a letter, as mail programs need them: beside each element. Dark colours are in its style sheet. */
export const style = {
  page: `margin:0;padding:0;background:#f2f4f7;color:#2b3138;${FONT};font-size:16px;line-height:1.55;-webkit-text-size-adjust:100%`,
  around: 'padding:32px 16px 0',
  card: 'max-width:560px;background:#ffffff;border:1px solid #dfe3e8;border-radius:10px',
  inside: 'padding:32px 36px',
  sender: 'margin:0 0 20px;color:#626b76;font-size:14px',
  heading: 'margin:0 0 16px;color:#14181d;font-size:22px;line-height:1.3;font-weight:600;overflow-wrap:anywhere',
  line: 'margin:0 0 16px;overflow-wrap:anywhere',
  itemRow: 'margin:0 0 14px',
  item: 'padding:2px 0 2px 14px;border-left:3px solid #2f5bd0',
  itemTitle: 'margin:2px 0 4px;color:#14181d;font-weight:600;overflow-wrap:anywhere',
  itemContent: 'margin:0 0 4px;overflow-wrap:anywhere;white-space:pre-line',
  itemTime: 'margin:0 0 2px;color:#626b76;font-size:13px',
  buttonRow: 'margin:8px 0 24px',
  buttonCell: 'background:#2f5bd0;border-radius:6px',
  button:
    'display:block;padding:12px 24px;background:#2f5bd0;border-radius:6px;color:#ffffff;font-weight:600;text-decoration:none',
  small: 'margin:0 0 12px;color:#626b76;font-size:13px;overflow-wrap:anywhere',
  link: 'color:#2f5bd0;word-break:break-all',
  foot: 'max-width:560px',
  footer: 'padding:20px 36px 40px;color:#626b76;font-size:13px',
  footLine: 'margin:0 0 6px;overflow-wrap:anywhere',
  quietLink: 'color:#626b76;text-decoration:underline',
}
